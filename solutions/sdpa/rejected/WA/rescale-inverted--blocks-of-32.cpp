// Wrong: blocks of 32 keys, rescaled by exp(new maximum - old maximum).
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
constexpr Index block = 32;

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
    std::vector<float> sum(Dv);
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < Hq; ++h)
            for (Index i = 0; i < Lq; ++i) {
                const Index g = h / (Hq / Hkv), p = i + Lk - Lq;
                float top = -infinity, total = 0;
                sum.assign(Dv, 0.0f);
                for (Index start = 0; start < Lk; start += block) {
                    const Index end = std::min(start + block, Lk);
                    float s[block], block_top = top;
                    for (Index j = start; j < end; ++j) {
                        float& logit = s[j - start];
                        logit = -infinity;
                        if (!may_attend(mask, causal, b, h, i, j, p)) continue;
                        float dot = 0;
                        for (Index d = 0; d < D; ++d) dot += q(b, h, i, d) * k(b, g, j, d);
                        logit = factor * dot;
                        block_top = std::max(block_top, logit);
                    }
                    if (block_top == -infinity) continue;
                    const float keep = total > 0 ? std::exp(block_top - top) : 0.0f;
                    top = block_top;
                    total *= keep;
                    for (float& x : sum) x *= keep;
                    for (Index j = start; j < end; ++j) {
                        if (s[j - start] == -infinity) continue;
                        const float w = std::exp(s[j - start] - top);
                        total += w;
                        for (Index d = 0; d < Dv; ++d) sum[d] += w * v(b, g, j, d);
                    }
                }
                for (Index d = 0; d < Dv; ++d) out(b, h, i, d) = total == 0 ? 0.0f : sum[d] / total;
            }
}

} // namespace sdpa
