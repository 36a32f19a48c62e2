// Level 1: which element of the whole weights stands at each place of a rank's parts. Copies are exact.
#include "core/items.hpp"
#include "oracle.hpp"

#include <algorithm>

namespace assay::parallelism_judge {

namespace {

constexpr std::int64_t padding = -1;

/// Where the parts are cut, and the ways of cutting them wrong.
struct Cut {
    const Slips& on;
    std::int64_t n, d, f, width; // width = ceil(f / n)

    /// The hidden unit at place j of rank r's parts.
    std::int64_t unit(std::int64_t r, std::int64_t j) const {
        if (on("first-block-everywhere")) r = 0;
        std::int64_t at = r * width + j;
        if (on("interleaved")) at = j * n + r;
        if (on("remainder-dropped")) at = j < f / n ? r * (f / n) + j : padding;
        if (on("remainder-spread"))
            at = j < f / n + (r < f % n ? 1 : 0) ? r * (f / n) + std::min(r, f % n) + j : padding;
        if (at == padding || at < f) return at;
        return on("padding-filled") ? f - 1 : padding;
    }
    /// Pieces of the other axis have as many elements only where both axes divide.
    bool other_axis() const { return on("rows-and-columns-swapped") && n > 1 && d % n == 0 && f % n == 0; }

    double w1(const Array& whole, std::int64_t r, std::int64_t i, std::int64_t j) const {
        if (other_axis()) { // d / n whole rows, laid into (d, f / n) one after the other
            const std::int64_t at = i * width + j, block = on("first-block-everywhere") ? 0 : r;
            return whole.at({r, block * (d / n) + at / f, at % f});
        }
        const std::int64_t from = unit(r, j);
        return from == padding ? 0 : whole.at({r, i, from});
    }
    double w2(const Array& whole, std::int64_t r, std::int64_t j, std::int64_t c) const {
        if (other_axis()) { // d / n whole columns, (f, d / n), laid into (f / n, d)
            const std::int64_t at = j * d + c, block = on("first-block-everywhere") ? 0 : r;
            return whole.at({r, at / (d / n), block * (d / n) + at % (d / n)});
        }
        const std::int64_t from = unit(r, j);
        return from == padding ? 0 : whole.at({r, from, c});
    }
    double b1(const Array& whole, std::int64_t r, std::int64_t j) const {
        const std::int64_t from = unit(on("bias-first-block") ? 0 : r, j);
        return from == padding ? 0 : whole.at({r, from});
    }
};

} // namespace

Truths shard_truths(const Problem& problem, const Slips& on) {
    const Array &w1 = problem.array("w1"), &b1 = problem.array("b1"), &w2 = problem.array("w2");
    const std::int64_t n = problem.integer("ranks"), d = w1.extents[1], f = w1.extents[2];
    const Cut cut{on, n, d, f, (f + n - 1) / n};
    std::vector<double> w1_part, b1_part, w2_part;
    for (std::int64_t r = 0; r < n; ++r) {
        for (std::int64_t i = 0; i < d; ++i)
            for (std::int64_t j = 0; j < cut.width; ++j) w1_part.push_back(cut.w1(w1, r, i, j));
        for (std::int64_t j = 0; j < cut.width; ++j) {
            b1_part.push_back(cut.b1(b1, r, j));
            for (std::int64_t c = 0; c < d; ++c) w2_part.push_back(cut.w2(w2, r, j, c));
        }
    }
    const auto exact = [](const std::vector<double>& values) { return std::vector<double>(values.size(), 0.0); };
    const std::vector<double> nothing(static_cast<std::size_t>(n), 0.0);
    return Items()
        .tensor("w1_part", {n, d, cut.width}, w1_part, exact(w1_part), Dtype::f32)
        .tensor("b1_part", {n, cut.width}, b1_part, exact(b1_part), Dtype::f32)
        .tensor("w2_part", {n, cut.width, d}, w2_part, exact(w2_part), Dtype::f32)
        .tensor("sent_bytes", {n}, nothing, nothing, Dtype::f64)
        .take();
}

} // namespace assay::parallelism_judge
