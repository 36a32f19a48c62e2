// The window is padded with zeros at the front.
// Level: global-tokens
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace long_attention {

void window_with_globals(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,
                         std::int64_t window, std::int64_t globals, tensor<float, 3> out) {
    const std::int64_t L = q.extent(1), D = q.extent(2), Dv = v.extent(2);
    const std::int64_t w = std::min(window, L), g = std::min(globals, L);
    const float scale = 1 / std::sqrt(float(D));
    for (std::int64_t h = 0; h < q.extent(0); ++h)
        for (std::int64_t i = 0; i < L; ++i) {
            const std::int64_t low = std::max<std::int64_t>(i - w + 1, 0);
            std::vector<std::int64_t> keys;
            for (std::int64_t j = 0; j < std::min(g, low); ++j) keys.push_back(j);
            for (std::int64_t j = low; j <= i; ++j) keys.push_back(j);
            std::vector<float> s;
            for (std::int64_t j : keys) {
                float dot = 0;
                for (std::int64_t d = 0; d < D; ++d) dot += q(h, i, d) * k(h, j, d);
                s.push_back(scale * dot);
            }
            float m = -std::numeric_limits<float>::infinity();
            for (float one : s) m = std::max(m, one);
            float sum = 0;
            for (std::int64_t pad = i - w + 1; pad < 0; ++pad) m = std::max(m, 0.0f);
            for (float& one : s) sum += one = std::exp(one - m);
            for (std::int64_t pad = i - w + 1; pad < 0; ++pad) sum += std::exp(-m);
            for (std::int64_t d = 0; d < Dv; ++d) {
                float o = 0;
                for (std::size_t t = 0; t < keys.size(); ++t) o += s[t] * v(h, keys[t], d);
                out(h, i, d) = o / sum;
            }
        }
}

} // namespace long_attention
