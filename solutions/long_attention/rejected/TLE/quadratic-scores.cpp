// f(q)·f(k) for every pair: right, and too slow at 100003 tokens.
// Level: linear
// Expect: linear
#include "contract.hpp"

#include <cmath>
#include <vector>

namespace long_attention {

namespace {

float feature(float x) { return x > 0 ? x + 1 : std::exp(x); }

} // namespace

void linear_attention(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, float eps,
                      tensor<float, 3> out) {
    const std::int64_t H = q.extent(0), L = q.extent(1), D = q.extent(2), Dv = v.extent(2);
    for (std::int64_t h = 0; h < H; ++h) {
        for (std::int64_t i = 0; i < L; ++i) {
            std::vector<float> sum(static_cast<std::size_t>(Dv));
            float normaliser = 0;
            for (std::int64_t j = 0; j <= i; ++j) {
                float a = 0;
                for (std::int64_t d = 0; d < D; ++d) a += feature(q(h, i, d)) * feature(k(h, j, d));
                normaliser += a;
                for (std::int64_t c = 0; c < Dv; ++c) sum[std::size_t(c)] += a * v(h, j, c);
            }
            normaliser += eps;
            for (std::int64_t c = 0; c < Dv; ++c) out(h, i, c) = sum[std::size_t(c)] / normaliser;
        }
    }
}

} // namespace long_attention
