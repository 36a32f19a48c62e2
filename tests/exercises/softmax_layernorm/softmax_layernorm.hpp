// What the tests of `softmax_layernorm` share: the exercise, its truths, and a reader of their own that shares no code
// with the oracle: long double, straight off the problem, slice by slice.
#ifndef ASSAY_TESTS_SOFTMAX_LAYERNORM_HPP
#define ASSAY_TESTS_SOFTMAX_LAYERNORM_HPP

#include "catch.hpp"
#include "core/registry.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace assay::softmax_layernorm_test {

using Real = long double;
using Row = std::vector<Real>;

inline const Exercise& exercise() {
    const Exercise* found = find_exercise("softmax_layernorm");
    REQUIRE(found != nullptr);
    return *found;
}

inline Truths truths_of(const Problem& problem, std::string_view mistake = "", int form = 0) {
    const std::optional<Truths> truths = exercise().oracle(problem, mistake, form);
    REQUIRE(truths);
    return *truths;
}

inline Problem problem_of(std::string_view id, std::uint64_t seed = 0) {
    for (const Level& level : exercise().levels)
        for (const Case& one : level.cases)
            if (one.id == id) return one.make(seed);
    FAIL("no case " << id);
    return {};
}

inline void for_each_case(std::uint64_t seed,
                          const std::function<void(const Level&, const Case&, const Problem&)>& visit) {
    for (const Level& level : exercise().levels)
        for (const Case& one : level.cases) visit(level, one, one.make(seed));
}

inline double eps_of(const Problem& problem) {
    return static_cast<double>(static_cast<float>(problem.number_or("eps", 0)));
}

/// Calls visit with the indices of each slice's elements, in the order of the two other axes.
inline void for_each_slice(const Problem& problem, const std::function<void(const std::vector<Index>&)>& visit) {
    const auto axis = static_cast<std::size_t>(problem.integer("axis"));
    const Index& extents = problem.array("x").extents;
    Index others = extents;
    others[axis] = extents[axis] == 0 ? 0 : 1;
    for_each_index(others, [&](const Index& first) {
        std::vector<Index> slice;
        for (std::int64_t j = 0; j < extents[axis]; ++j) {
            slice.push_back(first);
            slice.back()[axis] = j;
        }
        visit(slice);
    });
}

inline Row row_of(const Array& array, const std::vector<Index>& slice) {
    Row row;
    for (const Index& at : slice) row.push_back(static_cast<Real>(array.at(at)));
    return row;
}

inline Row vector_of(const Array& array) {
    Row row;
    for (const double value : array.values()) row.push_back(static_cast<Real>(value));
    return row;
}

/// Where an index lies in a truth's row-major values.
inline std::size_t position(const Index& extents, const Index& at) {
    std::int64_t result = 0;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) result = result * extents[axis] + at[axis];
    return static_cast<std::size_t>(result);
}

/// 1 / sum_k exp(x_k - x_j): no maximum is needed, and none is taken.
inline Row softmax_of(const Row& x) {
    Row y;
    for (const Real one : x) {
        Real sum = 0;
        for (const Real other : x) sum += std::exp(other - one);
        y.push_back(1 / sum);
    }
    return y;
}

struct Moments {
    Real mean = 0, variance = 0, mean_size = 0;
};
inline Moments moments_of(const Row& x) {
    Moments m;
    const auto n = static_cast<Real>(x.size());
    for (const Real one : x) m.mean += one / n, m.mean_size += std::fabs(one) / n;
    for (const Real one : x) m.variance += (one - m.mean) * (one - m.mean) / n;
    return m;
}

} // namespace assay::softmax_layernorm_test

#endif
