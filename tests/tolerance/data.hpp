// The kinds of data on which the error bound is tried, each hard on another term of it.
#ifndef ASSAY_TESTS_TOLERANCE_DATA_HPP
#define ASSAY_TESTS_TOLERANCE_DATA_HPP

#include "variants.hpp"

#include "core/problem.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace assay::tolerance {

struct Shape {
    std::size_t rows = 0, n = 0, D = 0, Dv = 0;
};

/// q (rows, D), k (n, D), v (n, Dv), row-major.
struct Data {
    Shape shape;
    std::vector<float> q, k, v;

    Head head() const { return {shape.rows, shape.n, shape.D, shape.Dv, q.data(), k.data(), v.data()}; }
    /// As a problem of `sdpa`: one batch row, one head, no mask, the default scale.
    Problem problem() const;
};

struct Kind {
    const char* name;
    Data (*make)(const Shape& shape, std::uint64_t seed);
};

/// Eleven of them.
std::vector<Kind> kinds();

} // namespace assay::tolerance

#endif
