// y = x.
// Level: random-features
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace long_attention {

void random_features(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,
                     tensor<const float, 2> omega, tensor<float, 3> out) {
    const std::int64_t H = q.extent(0), L = q.extent(1), D = q.extent(2), Dv = v.extent(2), M = omega.extent(0);
    const float temperature = 1;
    const auto exponents = [&](tensor<const float, 3> x, std::int64_t h, std::int64_t i) {
        std::vector<float> l(static_cast<std::size_t>(M));
        float norm = 0;
        for (std::int64_t d = 0; d < D; ++d) norm += x(h, i, d) / temperature * (x(h, i, d) / temperature);
        for (std::int64_t m = 0; m < M; ++m) {
            float dot = 0;
            for (std::int64_t d = 0; d < D; ++d) dot += omega(m, d) * (x(h, i, d) / temperature);
            l[std::size_t(m)] = dot - norm / 2;
        }
        return l;
    };
    for (std::int64_t h = 0; h < H; ++h) {
        float top = -std::numeric_limits<float>::infinity(); // of all keys
        for (std::int64_t i = 0; i < L; ++i)
            for (float one : exponents(k, h, i)) top = std::max(top, one);
        std::vector<float> S(std::size_t(M * Dv)), z(static_cast<std::size_t>(M));
        for (std::int64_t i = 0; i < L; ++i) {
            const std::vector<float> lk = exponents(k, h, i);
            const float shift = top;
            for (std::int64_t m = 0; m < M; ++m) {
                const float f = std::exp(lk[std::size_t(m)] - shift);
                z[std::size_t(m)] += f;
                for (std::int64_t c = 0; c < Dv; ++c) S[std::size_t(m * Dv + c)] += f * v(h, i, c);
            }
            std::vector<float> fq = exponents(q, h, i);
            const float own = *std::max_element(fq.begin(), fq.end());
            for (float& one : fq) one = std::exp(one - own);
            float normaliser = 0;
            for (std::int64_t m = 0; m < M; ++m) normaliser += fq[std::size_t(m)] * z[std::size_t(m)];
            for (std::int64_t c = 0; c < Dv; ++c) {
                float sum = 0;
                for (std::int64_t m = 0; m < M; ++m) sum += fq[std::size_t(m)] * S[std::size_t(m * Dv + c)];
                out(h, i, c) = sum / normaliser;
            }
        }
    }
}

} // namespace long_attention
