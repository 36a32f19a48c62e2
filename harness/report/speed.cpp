#include "report/speed.hpp"

#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay {

std::string speed_text(const SpeedRecord& speed, const Style& style) {
    const auto width = static_cast<std::size_t>(style.width);
    std::string aims;
    for (std::size_t i = 0; i < speed.thresholds.size(); ++i) {
        const std::string aim = fmt::format("{}{:g}", speed.by_exponent ? "L^" : "", speed.thresholds[i]);
        aims += (i == 0 ? "" : ", ") +
                (static_cast<int>(i) < speed.reached ? style.paint(Paint::green, aim + " reached") : style.dim(aim));
    }
    std::string text =
        fmt::format("Speed  {}  {}\n", speed.title,
                    style.dim(fmt::format("{} of {}, apart from the points", speed.earned, speed.points)));
    if (!speed.reason.empty()) return text + wrapped(style.dim(printable(speed.reason)), width, "  ", "  ") + "\n";
    for (const SpeedRecord::Case& one : speed.cases) {
        if (!one.refused.empty()) {
            text +=
                wrapped(one.id + ": " + style.paint(Paint::yellow, "not measurable") + ", " + printable(one.refused),
                        width, "  ", "    ");
            continue;
        }
        std::string figure = fmt::format("{}: {} times as fast as the solution ({:.3g} to {:.3g})", one.id,
                                         style.bold(fmt::format("{:.3g}", one.ratio)), one.low, one.high);
        if (one.share > 0) figure += fmt::format(", {:.3g} % of this machine's limit", 100 * one.share);
        text += wrapped(figure, width, "  ", "    ");
    }
    return text + "  aims: " + aims + "\n\n";
}

std::optional<double> speed_figure(const SpeedRecord& speed, const std::vector<GrowthRecord>& growth) {
    std::optional<double> worst;
    for (const SpeedRecord::Case& one : speed.cases) {
        if (!one.refused.empty()) return std::nullopt;
        worst = std::min(worst.value_or(one.ratio), one.ratio);
    }
    for (const GrowthRecord& one : growth) {
        if (!speed.by_exponent || !one.time) continue;
        if (!one.time->exponent) return std::nullopt;
        worst = std::max(worst.value_or(0), one.time->exponent->value);
    }
    return worst;
}

std::string speed_line(const SpeedRecord& speed, const std::vector<GrowthRecord>& growth) {
    const std::optional<double> figure = speed_figure(speed, growth);
    const std::string told = !figure             ? "no figure"
                             : speed.by_exponent ? fmt::format("L^{:.2f}", *figure)
                                                 : fmt::format("{:.3g}x", *figure);
    return fmt::format("{}: {}, {} of {} reached", printable(speed.title), told, speed.reached,
                       counted(static_cast<long long>(speed.thresholds.size()), "aim"));
}

} // namespace assay
