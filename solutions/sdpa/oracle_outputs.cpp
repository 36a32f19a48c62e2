// Mistakes made after the rows are right: results rounded too early or cut off, heads written in the wrong order.
#include "oracle_rows.hpp"

#include <algorithm>
#include <assay/half.hpp>
#include <cmath>

namespace assay::sdpa_judge {

namespace {

double rounded(Dtype type, double x) { return static_cast<double>(narrowed(type, static_cast<float>(x))); }

/// The upper 16 bits of a float32.
double cut_off(double x) {
    return static_cast<double>(detail::float_of(detail::bits_of(static_cast<float>(x)) & 0xffff0000u));
}

/// The attempt's own float32 value lies within the bound, and may land on a neighbour of the exact value's rounding:
/// monotone, so between those of both ends.
template <class Rounding> void round_early(double& value, double& bound, double lost, Rounding rounding) {
    const double middle = rounding(value);
    bound = std::max(std::fabs(rounding(value + lost) - middle), std::fabs(middle - rounding(value - lost)));
    value = middle;
}

void merge_heads(const Inputs& in, Truth& truth) {
    Truth moved = truth;
    std::size_t from = 0;
    for (std::size_t b = 0; b < in.B; ++b)
        for (std::size_t h = 0; h < in.Hq; ++h)
            for (std::size_t i = 0; i < in.Lq; ++i)
                for (std::size_t d = 0; d < in.Dv; ++d, ++from) {
                    const std::size_t to = ((b * in.Lq + i) * in.Hq + h) * in.Dv + d;
                    moved.value[to] = truth.value[from];
                    moved.bound[to] = truth.bound[from];
                }
    truth = std::move(moved);
}

} // namespace

void change_outputs(const Inputs& in, const Switch& as, const Allowance& allowance, Truth& truth) {
    const Dtype storage = in.storage_dtype();
    if (as.slip == Slip::half_early_rounding && in.output_dtype() == Dtype::f32)
        for (std::size_t at = 0; at < truth.value.size(); ++at)
            round_early(truth.value[at], truth.bound[at], truth.bound[at],
                        [&](double x) { return rounded(storage, x); });
    if (as.slip == Slip::storage_truncated && in.output_dtype() == Dtype::bf16)
        for (std::size_t at = 0; at < truth.value.size(); ++at) {
            const double lost = std::max(0.0, truth.bound[at] - allowance.out * std::fabs(truth.value[at]));
            round_early(truth.value[at], truth.bound[at], lost, cut_off);
        }
    if (as.slip == Slip::heads_merged_without_transpose) merge_heads(in, truth);
}

} // namespace assay::sdpa_judge
