// One row of softmax attention with the bound of every element.
//
// Where the bound comes from (first order, worst case, factor 1; u the unit roundoff, n terms, s logits, m their
// maximum, lse their log-sum-exp, p the weights, o the exact row). It is that of the exercise `sdpa`:
//   logit        a dot product of D terms, the scale and the product with it: (D + 4) u a_j, a_j = |scale| sum |q k_j|,
//                which is the term's e_j in units of u, with what a projection adds;
//   weight       s_j - m, its argument in exp or exp2 and the function: p_j is off by the factor 1 + theta_j,
//                theta_j = expm1(u (e_j + 3 |s_j - m| + 8)). Normalising cancels what all weights share:
//                sum p_j theta_j |v_j - o|;
//   sums         n products and n additions above and below, and the division: u (n + 2)(sum p_j |v_j| + |o|);
//   log-sum-exp  for those who form exp(s_j - lse): u (|m| + |lse|) sum p_j |v_j|;
//   underflow    weights below the least normal number may be flushed: (n + 2) least (1 + max |v|);
//   rescaling    an online softmax that takes its keys in blocks of 16 multiplies earlier sums R = ceil(n / 16) times.
//                Running maxima only grow, so the exponents add up to |s_j - m|; each adds 10 u to theta and 2 u to the
//                sums. One that takes them singly rescales only where the maximum grows, and stays below this too.
#ifndef ASSAY_LONG_ATTENTION_ORACLE_ROW_HPP
#define ASSAY_LONG_ATTENTION_ORACLE_ROW_HPP

#include "oracle_inputs.hpp"

#include <algorithm>
#include <optional>

namespace assay::long_attention_judge {

inline constexpr double keys_a_block = 16;

template <class Real> struct Term {
    Real s;        // logit
    double e;      // its error in units of u
    const Real* v; // null: counts in the denominator alone
};

template <class Real> using Terms = std::vector<Term<Real>>;

template <class Real> Real largest_of(const Terms<Real>& terms) {
    Real m = -std::numeric_limits<Real>::infinity();
    for (const Term<Real>& term : terms) m = std::max(m, term.s);
    return m;
}

/// theta of each term around `centre`.
template <class Real> double stray_of(const Term<Real>& term, Real centre, double rescales, double u) {
    return std::expm1(u * (term.e + 3 * static_cast<double>(std::fabs(term.s - centre)) + 8 + 10 * rescales));
}

/// out[d] = sum p v, bound as above. `centre`: what a mistake subtracts in place of the maximum, in float32. False
/// where what it gives hangs on how sums overflow or underflow. Terms must not be empty.
template <class Real> bool softmax_row(const Terms<Real>& terms, std::size_t Dv, double u, double least,
                                       std::optional<Real> centre, Real* out, double* bound) {
    const auto n = static_cast<double>(terms.size());
    const double rescales = std::ceil(n / keys_a_block);
    const Real m = largest_of(terms), c = centre.value_or(m);
    double lost = least;
    if (centre) {
        constexpr double overflows = 88.7, vanishes = -104;
        const auto top = static_cast<double>(m - c);
        if (top > overflows || top < vanishes) { // infinity / infinity, or 0 / 0
            std::fill(out, out + Dv, static_cast<Real>(not_a_number));
            std::fill(bound, bound + Dv, 0.0);
            return true;
        }
        if (top > overflows - 8 || top < -80) return false;
        lost *= std::exp(std::max(-top, 0.0));
    }
    std::vector<Real> p;
    std::vector<double> stray;
    Real sum = 0;
    for (const Term<Real>& term : terms) {
        sum += p.emplace_back(std::exp(term.s - m));
        stray.push_back(stray_of(term, c, rescales, u));
    }
    for (Real& one : p) one /= sum;
    const Real lse = m + std::log(sum);
    const double logs = terms.size() == 1 ? 0 : static_cast<double>(std::fabs(m) + std::fabs(lse));
    for (std::size_t d = 0; d < Dv; ++d) {
        Real o = 0, size = 0;
        double largest = 0, strayed = 0;
        for (std::size_t t = 0; t < terms.size(); ++t) {
            const Real v = terms[t].v == nullptr ? 0 : terms[t].v[d];
            o += p[t] * v;
            size += p[t] * std::fabs(v);
            largest = std::max(largest, static_cast<double>(std::fabs(v)));
        }
        for (std::size_t t = 0; t < terms.size(); ++t) {
            const Real v = terms[t].v == nullptr ? 0 : terms[t].v[d];
            strayed += static_cast<double>(p[t] * std::fabs(v - o)) * stray[t];
        }
        const auto plain = static_cast<double>(size), at = static_cast<double>(std::fabs(o));
        out[d] = o;
        bound[d] =
            strayed + u * (n + 2 + 2 * rescales) * (plain + at) + u * logs * plain + (n + 2) * lost * (1 + largest);
    }
    return true;
}

} // namespace assay::long_attention_judge

#endif
