// Rows as attempts compute them that subtract no maximum, or a wrong one, or normalise over the wrong axis.
#include "oracle_rows.hpp"

#include <algorithm>
#include <cmath>

namespace assay::sdpa_judge {

namespace {
constexpr double exp_overflows = 88.7228;  // log of the largest float
constexpr double exp_vanishes = -103.9721; // log of half the smallest subnormal float
} // namespace

void shifted_row(Row& row, const double* v, Guard guard, Allowance allowance, const Target& to) {
    if (row.s.empty()) return to.fill(0);
    const double largest = *std::max_element(row.s.begin(), row.s.end());
    const double log_count = std::log(static_cast<double>(row.s.size()));
    if (std::isnan(largest) || largest > exp_overflows) return to.fill(not_a_number);
    if (largest < exp_vanishes) return to.fill(guard == Guard::nan ? not_a_number : 0.0);
    allowance.shift_size = std::fabs(largest);
    const double sum = softmax_row(row, v, to.Dv, allowance, to.value, to.bound);
    if (largest + std::log(sum) > exp_overflows - 1e-4 * log_count) return to.fill(not_a_number);
    // a weight among the subnormals is off by up to 2^-149 of itself, against a sum that is as small
    double size = 0;
    for (const std::uint32_t j : row.key)
        for (std::size_t d = 0; d < to.Dv; ++d) size = std::max(size, std::fabs(v[j * to.Dv + d]));
    const double lost = static_cast<double>(row.s.size() + 2) * std::exp(-149 * std::log(2.0) - largest) / sum;
    for (std::size_t d = 0; d < to.Dv; ++d)
        if (std::isfinite(to.value[d])) to.bound[d] += lost * (size + std::fabs(to.value[d]));
}

void rows_over_queries(const Inputs& in, const Head& head, const double* v, const Allowance& allowance,
                       const Target& to) {
    const std::size_t Lq = in.Lq, Lk = in.Lk, Dv = to.Dv;
    const double u = unit_roundoff;
    std::fill(to.value, to.value + Lq * Dv, 0.0);
    std::fill(to.bound, to.bound + Lq * Dv, 0.0);
    std::vector<double> weight(Lq), stray(Lq);
    for (std::size_t j = 0; j < Lk; ++j) {
        double m = -infinity;
        for (std::size_t i = 0; i < Lq; ++i)
            if (head.may[i * Lk + j] != 0) m = std::max(m, head.s[i * Lk + j]);
        if (m == -infinity) continue; // nobody attends this key
        double sum = 0;
        double mean_stray = 0;
        for (std::size_t i = 0; i < Lq; ++i) {
            weight[i] = head.may[i * Lk + j] != 0 ? std::exp(head.s[i * Lk + j] - m) : 0.0;
            stray[i] = std::expm1(u * (head.e[i * Lk + j] + 3 * std::fabs(m - head.s[i * Lk + j]) + 8));
            sum += weight[i];
            if (weight[i] > 0) mean_stray += weight[i] * stray[i];
        }
        mean_stray /= sum;
        const double sums = u * static_cast<double>(Lq + Lk + 4);
        for (std::size_t i = 0; i < Lq; ++i) {
            const double p = weight[i] / sum;
            if (p == 0) continue;
            for (std::size_t d = 0; d < Dv; ++d) {
                to.value[i * Dv + d] += p * v[j * Dv + d];
                to.bound[i * Dv + d] += p * std::fabs(v[j * Dv + d]) * (stray[i] + mean_stray + sums);
            }
        }
    }
    for (std::size_t at = 0; at < Lq * Dv; ++at) {
        if (std::isfinite(to.value[at]))
            to.bound[at] += 0x1p-120 + allowance.out * std::fabs(to.value[at]) + allowance.out_least;
        else
            to.bound[at] = 0;
    }
}

} // namespace assay::sdpa_judge
