// One row of attention in float64: softmax over the keys it may attend, times v, with the bound of every element.
#ifndef ASSAY_SDPA_ORACLE_ROW_HPP
#define ASSAY_SDPA_ORACLE_ROW_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::sdpa_judge {

inline constexpr double unit_roundoff = 0x1p-24; // u of float32

/// What the bound grants beyond the plain sum of errors; see softmax_row.
struct Allowance {
    double rescales = 0;   // R: how often sums made earlier are scaled again (blocks absorbed, states merged)
    double lse = 1;        // factor of the log-sum-exp term
    double out = 0;        // unit roundoff of the output's storage type, 0 for float32
    double out_least = 0;  // half of its smallest subnormal
    double shift_size = 0; // |shift| where the weights are exp(s) with the row maximum not subtracted
};

/// The keys of one row: their logits, the size of each logit's rounding error in units of u, and where v lies.
struct Row {
    std::vector<double> s, e;
    std::vector<std::uint32_t> key;
    std::vector<std::uint8_t> silent; // empty, or 1 where the key counts in the denominator only
    std::vector<double> weight;       // scratch

    void clear() {
        s.clear();
        e.clear();
        key.clear();
        silent.clear();
    }
    void add(double logit, double error, std::size_t j) {
        s.push_back(logit);
        e.push_back(error);
        key.push_back(static_cast<std::uint32_t>(j));
    }
};

/// out[d] = sum_j p_j v[key_j][d], p = softmax(row.s); v is (.., Dv) row-major. bound[d] as TOLERANCES.md gives it for
/// `sdpa forward`. A row of no keys is 0 with bound 0. Gives sum_j exp(s_j - max), 0 for no keys.
double softmax_row(Row& row, const double* v, std::size_t Dv, const Allowance& allowance, double* out, double* bound);

} // namespace assay::sdpa_judge

#endif
