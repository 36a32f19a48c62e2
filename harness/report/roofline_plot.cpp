// The three times over the number of tokens, drawn in characters.
#include "report/roofline.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace assay {

namespace {

using roofline::Resource;

constexpr int rows = 15;
constexpr int margin = 13; // of the times at the left

Paint paint_of(char mark) {
    return mark == 'c' || mark == 'C' ? Paint::green : mark == 'm' || mark == 'M' ? Paint::yellow : Paint::cyan;
}

char mark_of(Resource resource, bool binds) {
    const char mark = *roofline::name_of(resource);
    return binds ? static_cast<char>(mark - 'a' + 'A') : mark;
}

/// One colour sequence a run of equal marks.
std::string painted(const std::string& row, const Style& style) {
    std::string text;
    for (std::size_t i = 0; i < row.size();) {
        const std::size_t end = std::min(row.find_first_not_of(row[i], i), row.size());
        const std::string run = row.substr(i, end - i);
        text += row[i] == ' ' ? run : style.paint(paint_of(row[i]), run);
        i = end;
    }
    return text;
}

} // namespace

std::vector<std::string> roofline_plot(const roofline::Ffn& ffn, const roofline::Ceilings& ceilings, double low,
                                       double high, const Style& style) {
    const int columns = std::clamp(style.width - margin - 2, 20, 90);
    std::vector<Resource> drawn{Resource::network, Resource::memory, Resource::compute};
    if (ffn.gpus == 1) drawn.erase(drawn.begin());
    const auto tokens_at = [&](int column) { return low * std::pow(high / low, column / (columns - 1.0)); };

    double least = INFINITY, most = 0;
    for (const double tokens : {low, high})
        for (const Resource one : drawn) {
            const double time = times(ffn, ceilings, tokens).of(one);
            least = std::min(least, time), most = std::max(most, time);
        }
    if (most <= least) most = least * 2;

    std::vector<std::string> grid(rows, std::string(static_cast<std::size_t>(columns), ' '));
    for (int column = 0; column < columns; ++column) {
        const roofline::Times t = times(ffn, ceilings, tokens_at(column));
        const auto put = [&](Resource one, bool binds) {
            const double height = std::log(t.of(one) / least) / std::log(most / least) * (rows - 1);
            const int row = rows - 1 - std::clamp(static_cast<int>(std::lround(height)), 0, rows - 1);
            grid[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = mark_of(one, binds);
        };
        for (const Resource one : drawn) put(one, false);
        put(t.binding(), true); // over the others
    }

    std::vector<std::string> lines;
    for (int row = 0; row < rows; ++row) {
        const bool labelled = row % ((rows - 1) / 2) == 0;
        const double time = most * std::pow(least / most, row / (rows - 1.0));
        std::string body = painted(grid[static_cast<std::size_t>(row)], style);
        while (!body.empty() && body.back() == ' ') body.pop_back();
        lines.push_back(pad_left(labelled ? time_text(time) : "", margin - 2) + (labelled ? " ┤" : " │") + body);
    }
    lines.push_back(std::string(margin - 1, ' ') + "└" + [&] {
        std::string axis;
        for (int i = 0; i < columns; ++i) axis += "─";
        return axis;
    }());
    const std::string left = fmt::format("{:.0f}", low), right = fmt::format("{:.0f} tokens", high);
    const auto room = static_cast<std::size_t>(columns) - std::min(right.size(), static_cast<std::size_t>(columns));
    lines.push_back(std::string(margin, ' ') + pad_right(left, room) + right);
    std::string legend;
    for (const Resource one : {Resource::compute, Resource::memory, Resource::network})
        if (std::find(drawn.begin(), drawn.end(), one) != drawn.end())
            legend += style.paint(paint_of(mark_of(one, false)),
                                  fmt::format("{} {}", mark_of(one, false), roofline::name_of(one))) +
                      "  ";
    lines.push_back(std::string(margin, ' ') + legend + "a capital where it binds");
    return lines;
}

} // namespace assay
