// Your attempt at `long_attention`. README.md beside this file says what is asked; contract.hpp has the exact
// signatures.
//
// Everything here compiles and runs, and gives zeros or nothing, which is wrong from level 1 on. Each function fails
// only the levels that ask it. Any standard header is welcome.
#include "contract.hpp"

#include <cmath>

namespace long_attention {

namespace {

void fill_with_zeros(tensor<float, 3> out) {
    for (int h = 0; h < out.extent(0); ++h)
        for (int i = 0; i < out.extent(1); ++i)
            for (int d = 0; d < out.extent(2); ++d) out(h, i, d) = 0;
}

} // namespace

// Level costs: every item of README.md's table, as double. Out of range: return {}.
cost cost_of(method how, setup layer) { return {}; }

// Level crossover.
crossing crossover(std::int64_t head_dim, std::int64_t rank, std::int64_t features) { return {}; }

// Level window, in O(L * window): q(h, i, d) is dimension d of query i in head h; q.extent(1) is L.
void sliding_window(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, std::int64_t window,
                    tensor<float, 3> out) {
    fill_with_zeros(out);
}

// Level linear, in O(L).
void linear_attention(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, float eps,
                      tensor<float, 3> out) {
    fill_with_zeros(out);
}

// Level random-features, a bonus.
void random_features(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,
                     tensor<const float, 2> omega, tensor<float, 3> out) {
    fill_with_zeros(out);
}

// Level low-rank.
void low_rank(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, tensor<const float, 2> e,
              tensor<const float, 2> f, tensor<float, 3> out) {
    fill_with_zeros(out);
}

// Level global-tokens.
void window_with_globals(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,
                         std::int64_t window, std::int64_t globals, tensor<float, 3> out) {
    fill_with_zeros(out);
}

// Level error, in double.
comparison compare(tensor<const double, 3> q, tensor<const double, 3> k, tensor<const double, 3> v, std::int64_t window,
                   std::int64_t globals) {
    return {};
}

} // namespace long_attention
