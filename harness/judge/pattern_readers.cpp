// How far one output of one case bears a pattern out.
#include "judge/pattern_readers.hpp"

#include "judge/elements.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace assay {

bool Seen::right(std::size_t i) const { return stand(got[i], truth[i], bound[i]) == Standing::right; }
bool Seen::is_large(std::size_t i) const { return std::fabs(truth[i]) > 8 * bound[i] && truth[i] != 0; }

namespace {

/// How many elements of `values` differ from the first: a constant tensor equals too many things.
int varied(const std::vector<double>& values) {
    return static_cast<int>(
        std::count_if(values.begin(), values.end(), [&](double x) { return differ(x, values[0], 0); }));
}

} // namespace

int is_zero(const Seen& seen) {
    int evidence = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (seen.got[i] != 0) return -1;
        evidence += seen.right(i) ? 0 : 1;
    }
    return evidence;
}

int is_equal_to(const Seen& seen, const Array& array) {
    if (array.size() != static_cast<std::int64_t>(seen.size()) || !is_floating(array.dtype)) return -1;
    const std::vector<double> values = elements_of(array);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (differ(seen.got[i], values[i], 0)) return -1;
    return varied(values);
}

double factor_of(const Seen& seen, std::size_t from, std::size_t to) {
    std::size_t best = to;
    for (std::size_t i = from; i < to; ++i)
        if (seen.is_large(i) && (best == to || std::fabs(seen.truth[i]) > std::fabs(seen.truth[best]))) best = i;
    return best == to ? std::numeric_limits<double>::quiet_NaN() : seen.got[best] / seen.truth[best];
}

int is_scaled(const Seen& seen, std::size_t from, std::size_t to, double scale) {
    int evidence = -1;
    for (std::size_t i = from; i < to; ++i) {
        // Factor and element each carry an error of the bound's relative size.
        const double allowed = 2 * (1 + std::fabs(scale)) * seen.bound[i];
        if (!(std::fabs(seen.got[i] - scale * seen.truth[i]) <= allowed)) return -1;
        if (seen.is_large(i)) ++evidence;
    }
    return std::max(evidence, 0);
}

int is_scaled_by_row(const Seen& seen) {
    const auto width = static_cast<std::size_t>(seen.extents.empty() ? 1 : seen.extents.back());
    int evidence = 0;
    for (std::size_t from = 0; from < seen.size(); from += width) {
        const double scale = factor_of(seen, from, from + width);
        const int own = is_scaled(seen, from, from + width, std::isnan(scale) ? 1 : scale);
        if (own < 0 || scale == 0) return -1;
        if (std::fabs(scale - 1) > 1e-3) evidence += own;
    }
    return evidence;
}

int is_offset(const Seen& seen, double& shift) {
    shift = seen.got[0] - seen.truth[0];
    double widest = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        widest = std::max(widest, seen.bound[i]);
        if (!(std::fabs(seen.got[i] - seen.truth[i] - shift) <= seen.bound[i] + seen.bound[0])) return -1;
    }
    return std::fabs(shift) > 8 * widest ? varied(seen.truth) : -1;
}

int is_transposed(const Seen& seen, const std::vector<std::size_t>& order) {
    const std::size_t rank = order.size();
    std::vector<std::size_t> strides(rank, 1);
    for (std::size_t axis = rank - 1; axis-- > 0;)
        strides[axis] = strides[axis + 1] * static_cast<std::size_t>(seen.extents[axis + 1]);
    std::vector<std::size_t> index(rank, 0);
    int evidence = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        std::size_t from = 0;
        for (std::size_t axis = 0; axis < rank; ++axis) from += index[axis] * strides[order[axis]];
        if (stand(seen.got[i], seen.truth[from], seen.bound[from]) != Standing::right) return -1;
        if (!seen.right(i)) ++evidence;
        for (std::size_t axis = rank; axis-- > 0;) {
            if (++index[axis] < static_cast<std::size_t>(seen.extents[order[axis]])) break;
            index[axis] = 0;
        }
    }
    return evidence;
}

std::int64_t first_wrong(const Seen& seen, std::size_t axis, int& wrong) {
    std::size_t inner = 1;
    for (std::size_t a = axis + 1; a < seen.extents.size(); ++a) inner *= static_cast<std::size_t>(seen.extents[a]);
    const auto extent = static_cast<std::size_t>(seen.extents[axis]);
    std::vector<int> count(extent, 0);
    wrong = 0;
    for (std::size_t i = 0; i < seen.size(); ++i)
        if (!seen.right(i)) {
            ++count[i / inner % extent];
            ++wrong;
        }
    const auto first = std::find_if(count.begin(), count.end(), [](int n) { return n > 0; }) - count.begin();
    return std::all_of(count.begin() + first, count.end(), [](int n) { return n > 0; }) ? first : 0;
}

int is_rounded(const Seen& seen, const Precision& precision) {
    int evidence = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        std::array<std::byte, 8> bytes{};
        store(precision.dtype, bytes.data(), seen.got[i]);
        if (load(precision.dtype, bytes.data()) != seen.got[i]) return -1;
        if (!(std::fabs(seen.got[i] - seen.truth[i]) <=
              2 * precision.unit * std::fabs(seen.truth[i]) + seen.bound[i] + 0x1p-24))
            return -1;
        if (!seen.right(i)) ++evidence;
    }
    return evidence;
}

int is_imprecise(const Seen& seen, const Precision& precision) {
    const auto width = static_cast<std::size_t>(seen.extents.empty() ? 1 : seen.extents.back());
    int evidence = 0;
    double largest = 0; // error, in roundings of its row's largest value
    for (std::size_t row = 0; row < seen.size(); row += width) {
        double scale = 0;
        for (std::size_t i = row; i < row + width; ++i) scale = std::max(scale, std::fabs(seen.truth[i]));
        for (std::size_t i = row; i < row + width; ++i) {
            const double error = std::fabs(seen.got[i] - seen.truth[i]);
            if (!(error <= 4 * precision.unit * scale + seen.bound[i])) return -1;
            if (scale > 0) largest = std::max(largest, error / (precision.unit * scale));
            if (!seen.right(i)) ++evidence;
        }
    }
    return largest >= 0.25 ? evidence : -1;
}

} // namespace assay
