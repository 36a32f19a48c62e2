// Wrong: exp of the logits as they are: above 88 the sums are infinite, below -104 they are 0, and either way the
// quotient is NaN.
#include "contract.hpp"

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
    std::vector<float> w(Lk);
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < Hq; ++h)
            for (Index i = 0; i < Lq; ++i) {
                const Index g = h / (Hq / Hkv), p = i + Lk - Lq;
                bool any = false;
                for (Index j = 0; j < Lk; ++j) {
                    w[j] = -infinity;
                    if (!may_attend(mask, causal, b, h, i, j, p)) continue;
                    float dot = 0;
                    for (Index d = 0; d < D; ++d) dot += q(b, h, i, d) * k(b, g, j, d);
                    w[j] = factor * dot;
                    any = true;
                }
                if (!any) {
                    for (Index d = 0; d < Dv; ++d) out(b, h, i, d) = 0.0f;
                    continue;
                }
                float total = 0;
                for (Index j = 0; j < Lk; ++j) total += w[j] = std::exp(w[j]);
                for (Index d = 0; d < Dv; ++d) {
                    float sum = 0;
                    for (Index j = 0; j < Lk; ++j)
                        if (w[j] != 0) sum += w[j] * v(b, g, j, d);
                    out(b, h, i, d) = sum / total;
                }
            }
}

} // namespace sdpa
