// Wrong: one maximum for the whole head is subtracted from every row, so rows far below it underflow to 0/0.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace {

using assay::optional;
using assay::tensor;
using Index = std::ptrdiff_t;
using Mask = optional<tensor<const bool, 4>>;

constexpr float infinity = std::numeric_limits<float>::infinity();

bool may_attend(const Mask& mask, bool causal, Index b, Index h, Index i, Index j, Index p) {
    if (causal && j > p) return false;
    if (!mask) return true;
    const auto& m = *mask;
    return m(b % m.extent(0), h % m.extent(1), i % m.extent(2), j % m.extent(3));
}

} // namespace

namespace sdpa {

void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v, Mask mask, bool causal,
               optional<float> scale, tensor<float, 4> out) {
    const Index B = q.extent(0), Hq = q.extent(1), Lq = q.extent(2), D = q.extent(3);
    const Index Hkv = k.extent(1), Lk = k.extent(2), Dv = v.extent(3);
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    std::vector<float> w(Lq * Lk);
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < Hq; ++h) {
            const Index g = h / (Hq / Hkv);
            for (Index i = 0; i < Lq; ++i)
                for (Index j = 0; j < Lk; ++j) {
                    const Index p = i + Lk - Lq;
                    w[i * Lk + j] = -infinity;
                    if (!may_attend(mask, causal, b, h, i, j, p)) continue;
                    float dot = 0;
                    for (Index d = 0; d < D; ++d) dot += q(b, h, i, d) * k(b, g, j, d);
                    w[i * Lk + j] = factor * dot;
                }
            const auto highest = std::max_element(w.begin(), w.end());
            for (Index i = 0; i < Lq; ++i) {
                std::vector<float> sum(Dv);
                float total = 0;
                bool any = false;
                for (Index j = 0; j < Lk; ++j) {
                    if (w[i * Lk + j] == -infinity) continue;
                    const float e = std::exp(w[i * Lk + j] - *highest);
                    any = true;
                    total += e;
                    for (Index d = 0; d < Dv; ++d) sum[d] += e * v(b, g, j, d);
                }
                for (Index d = 0; d < Dv; ++d) out(b, h, i, d) = any ? sum[d] / total : 0.0f;
            }
        }
}

} // namespace sdpa
