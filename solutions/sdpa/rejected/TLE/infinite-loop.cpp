// Wrong: blocks are as long as the keys where those are few: without keys their length is 0 and the loop stands still.
// Expect: empty-rows
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
    const Index block = std::min<Index>(32, Lk);
    std::vector<float> w(block), sum(Dv);
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < Hq; ++h)
            for (Index i = 0; i < Lq; ++i) {
                const Index g = h / (Hq / Hkv), p = i + Lk - Lq;
                float top = -infinity, total = 0;
                std::fill(sum.begin(), sum.end(), 0.0f);
                const auto take = [&](Index first, Index last) {
                    const float before = top;
                    for (Index j = first; j < last; ++j) {
                        w[j - first] = -infinity;
                        if (!may_attend(mask, causal, b, h, i, j, p)) continue;
                        float dot = 0;
                        for (Index d = 0; d < D; ++d) dot += q(b, h, i, d) * k(b, g, j, d);
                        w[j - first] = factor * dot;
                        top = std::max(top, w[j - first]);
                    }
                    if (top == -infinity) return;
                    total *= std::exp(before - top);
                    for (float& x : sum) x *= std::exp(before - top);
                    for (Index j = first; j < last; ++j) {
                        if (w[j - first] == -infinity) continue;
                        total += std::exp(w[j - first] - top);
                        for (Index d = 0; d < Dv; ++d) sum[d] += std::exp(w[j - first] - top) * v(b, g, j, d);
                    }
                };
                Index start = 0;
                for (; start + block <= Lk; start += block) take(start, start + block);
                take(start, Lk);
                for (Index d = 0; d < Dv; ++d) out(b, h, i, d) = total > 0 ? sum[d] / total : 0.0f;
            }
}

} // namespace sdpa
