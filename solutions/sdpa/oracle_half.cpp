// Rows as attempts compute them that keep sums or weights in 16 bits.
//
// Such a value is emulated rounding by rounding, and its bound is an interval carried along with it: every weight may
// be off by what float32 loses, and rounding is monotone, so the attempt's own sum lies between the sums of the lower
// and of the upper weights. A weight of exp(0) is exactly 1 in every library; that makes sticking sums exact.
#include "oracle_rows.hpp"

#include <algorithm>
#include <array>
#include <assay/half.hpp>
#include <cmath>

namespace assay::sdpa_judge {

namespace {

struct Interval {
    float low = 0, mid = 0, high = 0;
};

struct Weights {
    std::vector<Interval> w;
    double sum = 0; // of mid, in float64
};

Weights weights_of(const Row& row) {
    Weights result;
    std::size_t top = 0;
    for (std::size_t j = 1; j < row.s.size(); ++j)
        if (row.s[j] > row.s[top]) top = j;
    for (std::size_t j = 0; j < row.s.size(); ++j) {
        const double below = row.s[top] - row.s[j];
        const double w = std::exp(-below);
        const double x = below == 0 ? 0 : unit_roundoff * (row.e[j] + row.e[top] + 3 * below + 8);
        const double stray = std::expm1(x);
        result.w.push_back({static_cast<float>(w * std::max(0.0, 1 - stray)), static_cast<float>(w),
                            static_cast<float>(std::min(1.0, w * (1 + stray)))});
        result.sum += w;
    }
    return result;
}

Interval times(const Interval& w, float v) {
    const Interval product{w.low * v, w.mid * v, w.high * v};
    return v < 0 ? Interval{product.high, product.mid, product.low} : product;
}

Interval narrowed_sum(Dtype type, const Interval& a, const Interval& b) {
    return {narrowed(type, a.low + b.low), narrowed(type, a.mid + b.mid), narrowed(type, a.high + b.high)};
}

Interval narrowed_interval(Dtype type, const Interval& a) {
    return {narrowed(type, a.low), narrowed(type, a.mid), narrowed(type, a.high)};
}

/// mid of a/b, b > 0, and how far low and high of both can take it.
void divide(const Interval& a, const Interval& b, const Allowance& allowance, double& value, double& bound) {
    value = static_cast<double>(a.mid) / static_cast<double>(b.mid);
    bound = 0;
    for (const float above : {a.low, a.high})
        for (const float below : {b.low, b.high})
            bound = std::max(bound, std::fabs(static_cast<double>(above) / static_cast<double>(below) - value));
    bound += (2 * unit_roundoff + allowance.out) * std::fabs(value) + allowance.out_least + 0x1p-120;
    if (!std::isfinite(value)) bound = 0;
}

/// The sum of the weights in float32: their intervals, and n roundings.
Interval float_sum(const Weights& weights) {
    double low = 0;
    double high = 0;
    for (const Interval& w : weights.w) {
        low += static_cast<double>(w.low);
        high += static_cast<double>(w.high);
    }
    const double lost = unit_roundoff * static_cast<double>(weights.w.size() + 1);
    return {static_cast<float>(low * (1 - lost)), static_cast<float>(weights.sum),
            static_cast<float>(high * (1 + lost))};
}

} // namespace

float narrowed(Dtype type, float x) {
    return type == Dtype::f16 ? static_cast<float>(half(x)) : static_cast<float>(bfloat16(x));
}

void half_sums_row(Row& row, const double* v, Dtype narrow, const Switch& as, const Allowance& allowance,
                   const Target& to) {
    if (row.s.empty()) return to.fill(0);
    Weights weights = weights_of(row);
    if (as.variant) // the weights are converted before they are summed
        for (Interval& w : weights.w) w = narrowed_interval(narrow, w);
    Interval below = float_sum(weights);
    if (as.part != Part::values) {
        below = {};
        for (const Interval& w : weights.w) below = narrowed_sum(narrow, below, w);
    }
    for (std::size_t d = 0; d < to.Dv; ++d) {
        Interval above;
        if (as.part == Part::denominator) { // float sums of the products: as exact as the truth's
            std::array<double, 3> sums{};
            double size = 0;
            for (std::size_t j = 0; j < row.key.size(); ++j) {
                const Interval product = times(weights.w[j], static_cast<float>(v[row.key[j] * to.Dv + d]));
                sums[0] += static_cast<double>(product.low);
                sums[1] += static_cast<double>(product.mid);
                sums[2] += static_cast<double>(product.high);
                size += std::fabs(static_cast<double>(product.mid));
            }
            const double lost = unit_roundoff * static_cast<double>(row.key.size() + 2) * size;
            above = {static_cast<float>(sums[0] - lost), static_cast<float>(sums[1]),
                     static_cast<float>(sums[2] + lost)};
        } else {
            for (std::size_t j = 0; j < row.key.size(); ++j)
                above = narrowed_sum(narrow, above, times(weights.w[j], static_cast<float>(v[row.key[j] * to.Dv + d])));
        }
        divide(above, below, allowance, to.value[d], to.bound[d]);
    }
}

void half_weights_row(Row& row, const double* v, Dtype narrow, const Switch& as, const Allowance& allowance,
                      const Target& to) {
    if (row.s.empty()) return to.fill(0);
    Weights weights = weights_of(row);
    const Interval exact = float_sum(weights);
    Interval below = exact;
    for (Interval& w : weights.w) {
        if (as.part == Part::denominator) // normalised first, then converted
            w = {w.low / exact.high, w.mid / exact.mid, std::min(1.0f, w.high / exact.low)};
        w = narrowed_interval(narrow, w);
    }
    if (as.part == Part::denominator) below = {1, 1, 1};
    if (as.part == Part::both) {
        weights.sum = 0;
        for (const Interval& w : weights.w) weights.sum += static_cast<double>(w.mid);
        below = float_sum(weights);
    }
    for (std::size_t d = 0; d < to.Dv; ++d) {
        double sum = 0;
        double size = 0;
        double spread = 0;
        for (std::size_t j = 0; j < row.key.size(); ++j) {
            const double value = v[row.key[j] * to.Dv + d];
            const Interval& w = weights.w[j];
            sum += static_cast<double>(w.mid) * value;
            size += static_cast<double>(w.mid) * std::fabs(value);
            spread += static_cast<double>(std::max(w.high - w.mid, w.mid - w.low)) * std::fabs(value);
        }
        const double by = static_cast<double>(below.mid);
        const double off = static_cast<double>(std::max(below.high - below.mid, below.mid - below.low)) / by;
        to.value[d] = sum / by;
        const double lost = unit_roundoff * static_cast<double>(row.key.size() + 2);
        to.bound[d] = (spread + lost * size) / by + (off + lost + allowance.out) * std::fabs(to.value[d]) +
                      allowance.out_least + 0x1p-120;
        if (!std::isfinite(to.value[d])) to.bound[d] = 0;
    }
}

} // namespace assay::sdpa_judge
