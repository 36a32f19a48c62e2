// The layer of `parallelism` on one device, in long double and in other arithmetics.
#ifndef ASSAY_TESTS_PARALLELISM_UNSHARDED_HPP
#define ASSAY_TESTS_PARALLELISM_UNSHARDED_HPP

#include "exercises/parallelism/questions.hpp"

namespace assay::parallelism_test {

/// The whole weights, joined from the parts, and all tokens.
struct Unsharded {
    std::int64_t n, tokens, d, f;
    std::vector<double> x, w1, b1, w2, b2; // row-major

    explicit Unsharded(const Problem& problem) {
        const bool split = problem.route == "sequence";
        const Array &x_all = problem.array(split ? "x_part" : "x"), &w1_all = problem.array("w1_part"),
                    &b1_all = problem.array("b1_part"), &w2_all = problem.array("w2_part"),
                    &b2_all = problem.array("b2");
        n = problem.integer("ranks");
        d = x_all.extents[2];
        const std::int64_t width = w1_all.extents[2], rows = x_all.extents[1];
        f = n * width;
        tokens = split ? n * rows : rows;
        for (std::int64_t t = 0; t < tokens; ++t)
            for (std::int64_t i = 0; i < d; ++i) x.push_back(x_all.at({t / rows, t % rows, i}));
        for (std::int64_t i = 0; i < d; ++i) {
            for (std::int64_t u = 0; u < f; ++u) w1.push_back(w1_all.at({u / width, i, u % width}));
            b2.push_back(b2_all.at({0, i}));
        }
        for (std::int64_t u = 0; u < f; ++u) {
            b1.push_back(b1_all.at({u / width, u % width}));
            for (std::int64_t c = 0; c < d; ++c) w2.push_back(w2_all.at({u / width, u % width, c}));
        }
    }

    double at(const std::vector<double>& m, std::int64_t columns, std::int64_t i, std::int64_t j) const {
        return m[static_cast<std::size_t>(i * columns + j)];
    }

    /// y (tokens, d) in long double, token by token as a plain formula.
    std::vector<long double> exact() const {
        std::vector<long double> y;
        for (std::int64_t t = 0; t < tokens; ++t)
            for (std::int64_t c = 0; c < d; ++c) {
                long double sum = static_cast<long double>(b2[static_cast<std::size_t>(c)]);
                for (std::int64_t u = 0; u < f; ++u) {
                    long double z = static_cast<long double>(b1[static_cast<std::size_t>(u)]);
                    for (std::int64_t i = 0; i < d; ++i)
                        z += static_cast<long double>(at(x, d, t, i)) * static_cast<long double>(at(w1, f, i, u));
                    if (z > 0) sum += z * z * static_cast<long double>(at(w2, d, u, c));
                }
                y.push_back(sum);
            }
        return y;
    }
};

/// Of element (r, row, c) of the oracle's y or y_part, in `exact`'s order.
inline std::size_t place_in_whole(const Problem& problem, const Index& at, std::int64_t d) {
    const bool split = problem.route == "sequence";
    const std::int64_t rows = problem.array(split ? "y_part" : "y").extents[1];
    return static_cast<std::size_t>(((split ? at[0] * rows : 0) + at[1]) * d + at[2]);
}

} // namespace assay::parallelism_test

#endif
