// Looks for slabs (products of index sets, one an axis) among the wrong elements, and draws them.
#include "judge/place.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay {

namespace {

using Positions = std::vector<std::int64_t>;

/// The indices of each axis at which any chosen element lies.
std::vector<Positions> projections(const Index& extents, const std::vector<char>& chosen) {
    std::vector<std::vector<char>> hit(extents.size());
    for (std::size_t axis = 0; axis < extents.size(); ++axis)
        hit[axis].assign(static_cast<std::size_t>(extents[axis]), 0);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (chosen[i] == 0) continue;
        std::size_t rest = i;
        for (std::size_t axis = extents.size(); axis-- > 0;) {
            const auto extent = static_cast<std::size_t>(extents[axis]);
            hit[axis][rest % extent] = 1;
            rest /= extent;
        }
    }
    std::vector<Positions> result(extents.size());
    for (std::size_t axis = 0; axis < extents.size(); ++axis)
        for (std::size_t at = 0; at < hit[axis].size(); ++at)
            if (hit[axis][at] != 0) result[axis].push_back(static_cast<std::int64_t>(at));
    return result;
}

/// "3", "2:5", "5:", "::2", "{1, 4}", or "" where only a long list would say it.
std::string subscript(const Positions& at, std::int64_t extent) {
    if (extent == 1) return "0";
    const auto count = static_cast<std::int64_t>(at.size());
    if (count == extent) return ":";
    if (count == 1) return std::to_string(at.front());
    const std::int64_t step = at[1] - at[0];
    bool even = true;
    for (std::size_t i = 1; i < at.size(); ++i) even = even && at[i] - at[i - 1] == step;
    const std::string from = at.front() == 0 ? "" : std::to_string(at.front());
    const std::string to = at.back() + step >= extent ? "" : std::to_string(at.back() + 1);
    if (even && step == 1) return from + ":" + to;
    if (even && count >= 3) return fmt::format("{}:{}:{}", from, to, step);
    if (count <= 6) return fmt::format("{{{}}}", fmt::join(at, ", "));
    return "";
}

struct Slab {
    std::string text;       // "out[0, 2, :, :]"
    std::int64_t size = 0;  // elements of the smallest slab around the chosen ones
    bool whole = true;      // it is the whole tensor
    bool short_text = true; // the text says it exactly
};

Slab slab_around(const std::string& tensor, const Index& extents, const std::vector<char>& chosen) {
    const std::vector<Positions> hits = projections(extents, chosen);
    Slab slab;
    slab.size = 1;
    std::vector<std::string> parts;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        Positions at = hits[axis];
        std::string part = subscript(at, extents[axis]);
        if (part.empty()) { // widen to the range that holds it
            slab.short_text = false;
            at.clear();
            for (std::int64_t i = hits[axis].front(); i <= hits[axis].back(); ++i) at.push_back(i);
            part = subscript(at, extents[axis]);
        }
        slab.size *= static_cast<std::int64_t>(at.size());
        slab.whole = slab.whole && static_cast<std::int64_t>(at.size()) == extents[axis];
        parts.push_back(std::move(part));
    }
    slab.text = fmt::format("{}[{}]", tensor, fmt::join(parts, ", "));
    return slab;
}

/// One way to lay a tensor on paper: which axes go down the page and which across.
struct Page {
    std::vector<std::size_t> down, across;
};

struct Drawing {
    std::vector<std::string> rows;
    std::int64_t mixed = 0; // elements whose mark does not say what they are
    bool tells = false;     // some marks are right and some wrong
    std::int64_t per_row = 1, per_column = 1;
};

std::int64_t extent_of(const Index& extents, const std::vector<std::size_t>& axes) {
    std::int64_t extent = 1;
    for (const std::size_t axis : axes) extent *= extents[axis];
    return extent;
}

Drawing draw(const Index& extents, const std::vector<Standing>& standing, const Page& page) {
    constexpr std::int64_t most_rows = 8, most_columns = 48;
    const std::int64_t height = extent_of(extents, page.down), width = extent_of(extents, page.across);
    Drawing drawing;
    drawing.per_row = (height + most_rows - 1) / most_rows;
    drawing.per_column = (width + most_columns - 1) / most_columns;
    const auto rows = static_cast<std::size_t>((height + drawing.per_row - 1) / drawing.per_row);
    const auto columns = static_cast<std::size_t>((width + drawing.per_column - 1) / drawing.per_column);

    struct Cell {
        std::int64_t right = 0, wrong = 0;
        Standing mark = Standing::right;
    };
    const auto rank_of = [](Standing mark) {
        return mark == Standing::nan ? 3 : mark == Standing::inf ? 2 : mark == Standing::value ? 1 : 0;
    };
    std::vector<Cell> cells(rows * columns);
    Index index(extents.size(), 0);
    for (const Standing mark : standing) {
        std::int64_t row = 0, column = 0;
        for (const std::size_t axis : page.down) row = row * extents[axis] + index[axis];
        for (const std::size_t axis : page.across) column = column * extents[axis] + index[axis];
        Cell& cell = cells[static_cast<std::size_t>(row / drawing.per_row) * columns +
                           static_cast<std::size_t>(column / drawing.per_column)];
        ++(mark == Standing::right ? cell.right : cell.wrong);
        if (rank_of(mark) > rank_of(cell.mark)) cell.mark = mark;
        for (std::size_t axis = extents.size(); axis-- > 0;) {
            if (++index[axis] < extents[axis]) break;
            index[axis] = 0;
        }
    }
    bool some_right = false, some_wrong = false;
    for (std::size_t row = 0; row < rows; ++row) {
        std::string line;
        for (std::size_t column = 0; column < columns; ++column) {
            const Cell& cell = cells[row * columns + column];
            line += static_cast<char>(cell.mark);
            drawing.mixed += std::min(cell.right, cell.wrong);
            (cell.mark == Standing::right ? some_right : some_wrong) = true;
        }
        drawing.rows.push_back(std::move(line));
    }
    drawing.tells = some_right && some_wrong;
    return drawing;
}

std::string name_axes(const std::vector<std::size_t>& axes) {
    if (axes.size() == 1) return fmt::format("axis {}", axes.front());
    return fmt::format("axes {} to {}", axes.front(), axes.back());
}

} // namespace

std::string place_of(const std::string& tensor, const Index& extents, const std::vector<Standing>& standing,
                     Standing kind) {
    std::vector<char> chosen(standing.size());
    std::int64_t count = 0;
    for (std::size_t i = 0; i < standing.size(); ++i) {
        chosen[i] = standing[i] == kind ? 1 : 0;
        count += chosen[i];
    }
    const auto total = static_cast<std::int64_t>(standing.size());
    if (count == 0 || total == 1) return "";
    if (count == total) return "everywhere";
    if (count == 1) return "a single element";

    const Slab slab = slab_around(tensor, extents, chosen);
    if (count == slab.size) return "every element of " + slab.text;

    std::vector<char> others(chosen.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) others[i] = chosen[i] == 0 ? 1 : 0;
    const Slab rest = slab_around(tensor, extents, others);
    if (total - count == rest.size) return "everywhere but " + rest.text;

    if (slab.whole) return "";
    return fmt::format("{} of the {} elements of {}", count, slab.size, slab.text);
}

std::vector<std::string> map_of(const Index& extents, const std::vector<Standing>& standing) {
    const std::size_t rank = extents.size();
    if (rank == 0 || standing.size() < 2) return {};
    std::vector<Page> pages;
    if (rank == 1) {
        pages.push_back({{}, {0}});
    } else {
        pages.push_back({{rank - 2}, {rank - 1}});
        for (std::size_t a = 0; a < rank; ++a)
            for (std::size_t b = a + 1; b < rank; ++b)
                if (a + 2 != rank) pages.push_back({{a}, {b}});
        if (rank > 2) {
            Page flat{{}, {rank - 1}};
            for (std::size_t axis = 0; axis + 1 < rank; ++axis) flat.down.push_back(axis);
            pages.push_back(flat);
        }
    }
    const Page* best = nullptr;
    Drawing drawn;
    for (const Page& page : pages) {
        Drawing drawing = draw(extents, standing, page);
        if (!drawing.tells || (best != nullptr && drawing.mixed >= drawn.mixed)) continue;
        best = &page;
        drawn = std::move(drawing);
    }
    if (best == nullptr) return {};
    std::string head =
        best->down.empty() ? "axis 0 across" : name_axes(best->down) + " down, " + name_axes(best->across) + " across";
    if (drawn.per_row > 1 || drawn.per_column > 1)
        head += fmt::format(", a mark for {} x {}", drawn.per_row, drawn.per_column);
    std::vector<std::string> lines{std::move(head)};
    lines.insert(lines.end(), drawn.rows.begin(), drawn.rows.end());
    return lines;
}

} // namespace assay
