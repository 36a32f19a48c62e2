// Causal attention through non-negative features, by running sums, with the bound of every element.
//
// Where the bound comes from (first order, worst case, factor 1; u = 2^-24, n tokens so far, M features, f their exact
// values, E their errors, a_ij = f(q_i)·f(k_j) >= 0, N_i = sum a_ij v_j, d_i = sum a_ij + eps, o = N / d):
//   features     whoever computes them wrong by E moves a_ij by sum_m (E(q) f(k) + f(q) E(k)), and so N by that times
//                v_j and d by that: kept as running sums of E(k), E(k) |v_j| and f(k) |v_j| beside those of f(k), f(k)
//                v_j;
//   sums         whether the state is summed first and multiplied by f(q) then, or a_ij is formed and summed over j, or
//                both by blocks: a term passes through at most n additions over tokens, M over features and three
//                products: u (n + M + 3) on sum a_ij |v_j| and on sum a_ij, and u eps for its addition;
//   quotient     the division, or a reciprocal and a product: 2 u |o|;
//   underflow    products below 2^-126 may be flushed: (n + 2) M 2^-126 (1 + max |v|).
//   Together (dN + |o| dd) / d + 2 u |o|.
// elu(x) + 1 may be taken literally, as expm1(x) + 1 or exp(x) - 1 + 1, which rounds numbers of size 1 to 2^-24: where
// x <= 0, E = u (1 + 2 f), with 2 f for an exp that is right to the last bit but one; above it is x + 1, E = u f.
#ifndef ASSAY_LONG_ATTENTION_ORACLE_STATE_HPP
#define ASSAY_LONG_ATTENTION_ORACLE_STATE_HPP

#include "core/slips.hpp"
#include "oracle_inputs.hpp"

#include <optional>

namespace assay::long_attention_judge {

/// Of one vector, each with its error; float32 would hold them as written.
struct Features {
    std::vector<double> f, E;

    void add(double value, double error) {
        f.push_back(value);
        E.push_back(error);
    }
};

/// (H * L) of queries and of keys.
struct Mapped {
    std::vector<Features> q, k;
};

/// Nothing where a denominator is so near 0 that its sign hangs on rounding.
std::optional<Truths> through_state(const Problem& problem, const Inputs<double>& in, const Mapped& features,
                                    double eps, const Slips& on);

} // namespace assay::long_attention_judge

#endif
