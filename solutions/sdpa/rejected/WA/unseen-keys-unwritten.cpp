// Wrong: dk and dv are set to 0 by the first query that attends the key, and so not at all where none does.
// Level: gradients
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

void fill_with_zeros(tensor<float, 4> x) {
    for (Index b = 0; b < x.extent(0); ++b)
        for (Index h = 0; h < x.extent(1); ++h)
            for (Index i = 0; i < x.extent(2); ++i)
                for (Index d = 0; d < x.extent(3); ++d) x(b, h, i, d) = 0;
}

} // namespace

namespace sdpa {

void attention_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v, Mask mask,
                        bool causal, optional<float> scale, tensor<const float, 4> dout, tensor<float, 4> dq,
                        tensor<float, 4> dk, tensor<float, 4> dv) {
    const Index B = q.extent(0), Hq = q.extent(1), Lq = q.extent(2), D = q.extent(3);
    const Index Hkv = k.extent(1), Lk = k.extent(2), Dv = v.extent(3);
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    fill_with_zeros(dq);
    std::vector<char> begun(B * Hkv * Lk);
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < Hq; ++h) {
            const Index g = h / (Hq / Hkv);
            std::vector<float> P(Lq * Lk), dP(Lq * Lk), dS(Lq * Lk); // (Lq, Lk)
            for (Index i = 0; i < Lq; ++i) {
                float top = -infinity, total = 0, delta = 0;
                for (Index j = 0; j < Lk; ++j) {
                    float& w = P[i * Lk + j];
                    w = -infinity;
                    if (!may_attend(mask, causal, b, h, i, j, i + Lk - Lq)) continue;
                    float dot = 0;
                    for (Index d = 0; d < D; ++d) dot += q(b, h, i, d) * k(b, g, j, d);
                    w = factor * dot;
                    top = std::max(top, w);
                    for (Index d = 0; d < Dv; ++d) dP[i * Lk + j] += dout(b, h, i, d) * v(b, g, j, d);
                }
                for (Index j = 0; j < Lk; ++j) {
                    float& w = P[i * Lk + j];
                    total += w = w == -infinity ? 0.0f : std::exp(w - top);
                }
                for (Index j = 0; j < Lk; ++j) {
                    if (total > 0) P[i * Lk + j] /= total;
                    delta += P[i * Lk + j] * dP[i * Lk + j];
                }
                for (Index j = 0; j < Lk; ++j) dS[i * Lk + j] = P[i * Lk + j] * (dP[i * Lk + j] - delta);
            }
            for (Index i = 0; i < Lq; ++i)
                for (Index j = 0; j < Lk; ++j) {
                    const float p = P[i * Lk + j], ds = dS[i * Lk + j];
                    if (!may_attend(mask, causal, b, h, i, j, i + Lk - Lq)) continue;
                    if (!begun[(b * Hkv + g) * Lk + j]) {
                        for (Index d = 0; d < D; ++d) dk(b, g, j, d) = 0;
                        for (Index d = 0; d < Dv; ++d) dv(b, g, j, d) = 0;
                        begun[(b * Hkv + g) * Lk + j] = 1;
                    }
                    for (Index d = 0; d < D; ++d) dq(b, h, i, d) += factor * ds * k(b, g, j, d);
                    for (Index d = 0; d < D; ++d) dk(b, g, j, d) += factor * ds * q(b, h, i, d);
                    for (Index d = 0; d < Dv; ++d) dv(b, g, j, d) += p * dout(b, h, i, d);
                }
        }
}

} // namespace sdpa
