// Pads the front with w - 1 zero keys and values.
// Level: window
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace long_attention {

void sliding_window(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, std::int64_t window,
                    tensor<float, 3> out) {
    const std::int64_t L = q.extent(1), D = q.extent(2), Dv = v.extent(2);
    const std::int64_t w = std::min(window, L);
    const float scale = 1 / std::sqrt(float(D));
    for (std::int64_t h = 0; h < q.extent(0); ++h)
        for (std::int64_t i = 0; i < L; ++i) {
            const std::int64_t low = i - w + 1, high = i;
            std::vector<float> s;
            for (std::int64_t j = low; j <= high; ++j) {
                float dot = 0;
                for (std::int64_t d = 0; d < D && j >= 0; ++d) dot += q(h, i, d) * k(h, j, d);
                s.push_back(scale * dot);
            }
            float m = -std::numeric_limits<float>::infinity();
            for (float one : s) m = std::max(m, one);
            float sum = 0;
            for (float& one : s) sum += one = std::exp(one - m);
            for (std::int64_t d = 0; d < Dv; ++d) {
                float o = 0;
                for (std::int64_t j = std::max<std::int64_t>(low, 0); j <= high; ++j)
                    o += s[std::size_t(j - low)] * v(h, j, d);
                out(h, i, d) = o / sum;
            }
        }
}

} // namespace long_attention
