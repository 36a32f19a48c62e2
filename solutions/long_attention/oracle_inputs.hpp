// The tensors of one problem as dense row-major arrays, in float64 or wider.
#ifndef ASSAY_LONG_ATTENTION_ORACLE_INPUTS_HPP
#define ASSAY_LONG_ATTENTION_ORACLE_INPUTS_HPP

#include "core/problem.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace assay::long_attention_judge {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

inline constexpr double float32_unit = 0x1p-24, float32_least = 0x1p-126; // unit roundoff, least normal number
inline constexpr double float64_unit = 0x1p-53, float64_least = 0x1p-1022;

template <class Real> std::vector<Real> dense(const Array& array) {
    const std::vector<double> values = array.values();
    return std::vector<Real>(values.begin(), values.end());
}

template <class Real> struct Inputs {
    std::size_t H, L, D, Dv;
    std::vector<Real> q, k, v;

    explicit Inputs(const Problem& problem)
        : q(dense<Real>(problem.array("q"))), k(dense<Real>(problem.array("k"))), v(dense<Real>(problem.array("v"))) {
        const Index& keys = problem.array("q").extents;
        H = static_cast<std::size_t>(keys[0]);
        L = static_cast<std::size_t>(keys[1]);
        D = static_cast<std::size_t>(keys[2]);
        Dv = static_cast<std::size_t>(problem.array("v").extents[2]);
    }

    const Real* query(std::size_t h, std::size_t i) const { return q.data() + (h * L + i) * D; }
    const Real* key(std::size_t h, std::size_t j) const { return k.data() + (h * L + j) * D; }
    const Real* value(std::size_t h, std::size_t j) const { return v.data() + (h * L + j) * Dv; }
};

/// scale * q·k, and in `size` |scale| sum |q k|.
template <class Real> Real logit(const Real* q, const Real* k, std::size_t D, Real scale, double& size) {
    Real dot = 0, sizes = 0;
    for (std::size_t d = 0; d < D; ++d) {
        dot += q[d] * k[d];
        sizes += std::fabs(q[d] * k[d]);
    }
    size = static_cast<double>(scale * sizes);
    return scale * dot;
}

/// A float32 output without values yet.
inline Truth blank(const Problem& problem, const char* name) {
    Truth truth;
    truth.name = name;
    truth.extents = problem.array(name).extents;
    truth.value.assign(static_cast<std::size_t>(problem.array(name).size()), 0.0);
    truth.bound = truth.value;
    return truth;
}

} // namespace assay::long_attention_judge

#endif
