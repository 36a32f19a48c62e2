// Each key shares itself out among the queries that see it.
// Level: window
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace long_attention {

void sliding_window(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v, std::int64_t window,
                    tensor<float, 3> out) {
    const std::int64_t L = q.extent(1), D = q.extent(2), Dv = v.extent(2);
    const std::int64_t w = std::min(window, L);
    const float scale = 1 / std::sqrt(float(D));
    for (std::int64_t h = 0; h < q.extent(0); ++h)
        for (std::int64_t i = 0; i < L; ++i) {
            const std::int64_t low = std::max<std::int64_t>(i - w + 1, 0), high = i;
            std::vector<float> s;
            for (std::int64_t j = low; j <= high; ++j) {
                float dot = 0;
                for (std::int64_t d = 0; d < D; ++d) dot += q(h, i, d) * k(h, j, d);
                s.push_back(scale * dot);
            }
            for (std::int64_t j = low; j <= high; ++j) {
                const auto logit = [&](std::int64_t query) {
                    float dot = 0;
                    for (std::int64_t d = 0; d < D; ++d) dot += q(h, query, d) * k(h, j, d);
                    return scale * dot;
                };
                const std::int64_t last = std::min(j + w - 1, L - 1);
                float m = logit(j), column = 0;
                for (std::int64_t query = j; query <= last; ++query) m = std::max(m, logit(query));
                for (std::int64_t query = j; query <= last; ++query) column += std::exp(logit(query) - m);
                s[std::size_t(j - low)] = std::exp(s[std::size_t(j - low)] - m) / column;
            }
            for (std::int64_t d = 0; d < Dv; ++d) {
                float o = 0;
                for (std::int64_t j = low; j <= high; ++j) o += s[std::size_t(j - low)] * v(h, j, d);
                out(h, i, d) = o;
            }
        }
}

} // namespace long_attention
