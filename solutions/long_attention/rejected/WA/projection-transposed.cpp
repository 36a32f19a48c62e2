// Reads (R, L) as (L, R).
// Level: low-rank
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace long_attention {

void low_rank(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, tensor<const float, 2> e,
              tensor<const float, 2> f, tensor<float, 3> out) {
    const std::int64_t L = q.extent(1), D = q.extent(2), Dv = v.extent(2), R = e.extent(0);
    const float scale = 1 / std::sqrt(float(D));
    for (std::int64_t h = 0; h < q.extent(0); ++h) {
        std::vector<float> keys(std::size_t(R * D)), values(std::size_t(R * Dv));
        for (std::int64_t r = 0; r < R; ++r)
            for (std::int64_t j = 0; j < L; ++j) {
                for (std::int64_t d = 0; d < D; ++d) keys[std::size_t(r * D + d)] += e.data()[j * R + r] * k(h, j, d);
                for (std::int64_t d = 0; d < Dv; ++d)
                    values[std::size_t(r * Dv + d)] += f.data()[j * R + r] * v(h, j, d);
            }
        for (std::int64_t i = 0; i < L; ++i) {
            const std::int64_t last = R;
            std::vector<float> s;
            for (std::int64_t r = 0; r < last; ++r) {
                float dot = 0;
                for (std::int64_t d = 0; d < D; ++d) dot += q(h, i, d) * keys[std::size_t(r * D + d)];
                s.push_back(scale * dot);
            }
            const float m = *std::max_element(s.begin(), s.end());
            float sum = 0;
            for (float& one : s) sum += one = std::exp(one - m);
            for (std::int64_t d = 0; d < Dv; ++d) {
                float o = 0;
                for (std::int64_t r = 0; r < last; ++r) o += s[std::size_t(r)] * values[std::size_t(r * Dv + d)];
                out(h, i, d) = o / sum;
            }
        }
    }
}

} // namespace long_attention
