// The exact row and its error bound.
//
// Where the bound comes from (first order, worst case, factor 1; u = 2^-24, n keys, s logits, m their maximum):
//   logit          a dot product of D terms, the scale (sqrt, division or log2 e folded in) and the product with it
//                  lose (D + 4) u a_j, a_j = |scale| sum |q k_j|: the caller's e_j (with what a bias adds);
//   weight         s_j - m, its argument in exp or exp2 and the function itself: 3 |s_j - m| + 8 more;
//                  together p_j is off by the factor 1 + theta_j, theta_j = expm1(u (e_j + 3 |s_j - m| + 8)).
//                  Normalising cancels what all weights share: it moves o by sum p_j theta_j |v_j - o|;
//   sums           n products and n additions above and below, and the division: u (n + 2)(sum p_j |v_j| + |o|);
//   log-sum-exp    whoever forms exp(s_j - lse), or m log2 e first, rounds a number of the size of |m| or |lse|:
//                  u (|m| + |lse|) sum p_j |v_j|. With one key lse is m to the bit, and only a fused scale dot - lse
//                  keeps the rounding of m: u |m|, granted while it is at most 1/8 (|m| to 2^21; beyond, whoever forms
//                  it so has lost the row, and a key at -2e9 would have no bound to speak of);
//   underflow      weights below 2^-126 may be flushed: (n + 2) 2^-126 (1 + max |v|);
//   storing        u_out |o|, and half the smallest subnormal (2^-25 for half).
// Each of R later rescales multiplies sums made before by one more exp: its argument is already in |s_j - m| (running
// maxima only grow, so the differences add up to it), the function and two products add 10 u to theta, a product and an
// addition 2 u to the sums, and a state kept as log-sum-exp rounds it once more: (|m| + |lse| + 1) u; the 1 pays for
// earlier lse of larger size, since a part lying x below the end weighs exp(-x) and x exp(-x) < 1.
#include "oracle_row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::sdpa_judge {

namespace {

/// p (exp(x) - 1) without 0 times infinity, from log p too where p itself may have underflowed.
double strayed(double p, double log_p, double x) {
    if (x < 1e-3) return p * (x * (1 + x * (0.5 + x * (1.0 / 6)))); // relative error below 1e-10
    if (x < 1) return p * std::expm1(x);
    return std::exp(log_p + x) - p;
}

} // namespace

double softmax_row(Row& row, const double* v, std::size_t Dv, const Allowance& allowance, double* out, double* bound) {
    std::fill(out, out + Dv, 0.0);
    std::fill(bound, bound + Dv, 0.0);
    const std::size_t n = row.s.size();
    if (n == 0) return 0;

    double m = -std::numeric_limits<double>::infinity();
    for (const double s : row.s) m = s > m ? s : m;
    row.weight.resize(n);
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += row.weight[j] = std::exp(row.s[j] - m);

    const auto heard = [&](std::size_t j) { return row.silent.empty() || row.silent[j] == 0; };
    double largest = 0;
    for (std::size_t j = 0; j < n; ++j) { // bound gathers sum p |v| for now
        if (!heard(j)) continue;
        const double* value = v + row.key[j] * Dv;
        const double p = row.weight[j] / sum;
        for (std::size_t d = 0; d < Dv; ++d) {
            out[d] += p * value[d];
            bound[d] += p * std::fabs(value[d]);
            largest = std::max(largest, std::fabs(value[d]));
        }
    }
    const double u = unit_roundoff;
    const double count = static_cast<double>(n);
    const double R = allowance.rescales;
    const double lse = m + std::log(sum);
    const double alone = u * std::fabs(m) <= 0.125 ? std::fabs(m) : 0.0;
    const double logs =
        allowance.lse * (n == 1 ? alone : std::fabs(m) + std::fabs(lse) + R * (std::fabs(m) + std::fabs(lse) + 1));
    const double sums = count + 2 + 2 * R;
    for (std::size_t d = 0; d < Dv; ++d)
        bound[d] = u * sums * (bound[d] + std::fabs(out[d])) + u * logs * bound[d] +
                   (count + 2) * 0x1p-126 * (1 + largest) + allowance.out * std::fabs(out[d]) + allowance.out_least;
    for (std::size_t j = 0; j < n; ++j) {
        const double x = u * (row.e[j] + 3 * (m - row.s[j] + allowance.shift_size) + 8 + 10 * R);
        const double stray = strayed(row.weight[j], row.s[j] - m, x) / sum;
        if (stray == 0) continue;
        const double* value = v + row.key[j] * Dv;
        for (std::size_t d = 0; d < Dv; ++d) {
            const double apart = std::fabs((heard(j) ? value[d] : 0.0) - out[d]);
            if (apart > 0) bound[d] += stray * apart;
        }
    }
    for (std::size_t d = 0; d < Dv; ++d)
        if (!std::isfinite(out[d])) bound[d] = 0; // such an element is compared by its kind alone
    return sum;
}

} // namespace assay::sdpa_judge
