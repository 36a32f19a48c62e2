// Scales queries as softmax attention does.
// Level: linear
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
        std::vector<float> S(std::size_t(D * Dv)), z(static_cast<std::size_t>(D));
        for (std::int64_t i = 0; i < L; ++i) {
            for (std::int64_t d = 0; d < D; ++d) {
                const float f = feature(k(h, i, d));
                z[std::size_t(d)] += f;
                for (std::int64_t c = 0; c < Dv; ++c) S[std::size_t(d * Dv + c)] += f * v(h, i, c);
            }
            float normaliser = 0;
            for (std::int64_t d = 0; d < D; ++d)
                normaliser += feature(q(h, i, d) / std::sqrt(float(D))) * z[std::size_t(d)];
            normaliser += eps;
            for (std::int64_t c = 0; c < Dv; ++c) {
                float sum = 0;
                for (std::int64_t d = 0; d < D; ++d)
                    sum += feature(q(h, i, d) / std::sqrt(float(D))) * S[std::size_t(d * Dv + c)];
                out(h, i, c) = sum / normaliser;
            }
        }
    }
}

} // namespace long_attention
