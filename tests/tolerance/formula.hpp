// The error bound of sdpa's forward pass, written a second time from TOLERANCES' formula, to hold the oracle's against.
#ifndef ASSAY_TESTS_TOLERANCE_FORMULA_HPP
#define ASSAY_TESTS_TOLERANCE_FORMULA_HPP

#include "data.hpp"

#include <vector>

namespace assay::tolerance {

struct Exact {
    std::vector<double> value, bound; // (rows, Dv)
};

/// What is asked of the formula beside the data: which keys each row may attend, and the output's storage type.
struct Asked {
    std::vector<std::vector<std::size_t>> keys; // one list a row; empty: every key for every row
    double u_out = 0;                           // unit roundoff of the output's storage, 0 for float32
    double least = 0;                           // half of the smallest subnormal of a half output
    bool square_root = false;                   // with sqrt(n) in the place of n: refuted, see test_bound.cpp
};

/// value and bound in long double, directly from
///   theta_j = expm1(u[(D + 4) a_j + 3|s_j - m| + 8])
///   bound = sum p_j theta_j |v_j - o| + u(n + 2)(sum p_j|v_j| + |o|) + u(|m| + |lse|) sum p_j|v_j|
///           + (n + 2) 2^-126 (1 + max|v|) + u_out |o| + least
Exact by_formula(const Data& data, const Asked& asked = {});

} // namespace assay::tolerance

#endif
