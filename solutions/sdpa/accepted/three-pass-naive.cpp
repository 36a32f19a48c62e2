// Right: the textbook order. One row of logits with its maximum, then the exponentials, then the weighted sum.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <vector>

namespace {

using assay::optional;
using assay::tensor;
using Index = std::ptrdiff_t;
using Mask = optional<tensor<const bool, 4>>;
using Slopes = optional<tensor<const float, 1>>;

constexpr float infinity = std::numeric_limits<float>::infinity();

bool may_attend(const Mask& mask, bool causal, Index window, Index b, Index h, Index i, Index j, Index p) {
    if (causal && j > p) return false;
    if (window > 0 && std::abs(p - j) >= window) return false;
    if (!mask) return true;
    const auto& m = *mask;
    return m(b % m.extent(0), h % m.extent(1), i % m.extent(2), j % m.extent(3));
}

template <class In, class Out> void attend(tensor<const In, 4> q, tensor<const In, 4> k, tensor<const In, 4> v,
                                           Mask mask, bool causal, optional<float> scale, Slopes slopes, Index window,
                                           tensor<Out, 4> out) {
    const Index B = q.extent(0), Hq = q.extent(1), Lq = q.extent(2), D = q.extent(3);
    const Index Hkv = k.extent(1), Lk = k.extent(2), Dv = v.extent(3);
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    std::vector<float> w(Lk);
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < Hq; ++h)
            for (Index i = 0; i < Lq; ++i) {
                const Index g = h / (Hq / Hkv), p = i + Lk - Lq;
                const float slope = slopes ? (*slopes)(h) : 0.0f;
                float top = -infinity;
                for (Index j = 0; j < Lk; ++j) {
                    w[j] = -infinity;
                    if (!may_attend(mask, causal, window, b, h, i, j, p)) continue;
                    float dot = 0;
                    for (Index d = 0; d < D; ++d) dot += q(b, h, i, d) * k(b, g, j, d);
                    w[j] = factor * dot - slope * static_cast<float>(std::abs(p - j));
                    top = std::max(top, w[j]);
                }
                if (top == -infinity) {
                    for (Index d = 0; d < Dv; ++d) out(b, h, i, d) = Out(0.0f);
                    continue;
                }
                float total = 0;
                for (Index j = 0; j < Lk; ++j) total += w[j] = std::exp(w[j] - top);
                for (Index d = 0; d < Dv; ++d) {
                    float sum = 0;
                    for (Index j = 0; j < Lk; ++j)
                        if (w[j] != 0) sum += w[j] * v(b, g, j, d);
                    out(b, h, i, d) = Out(sum / total);
                }
            }
}

} // namespace

namespace sdpa {

void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v, Mask mask, bool causal,
               optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, {}, 0, out);
}

void attention_f16(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v, Mask mask, bool causal,
                   optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, {}, 0, out);
}

void attention_bf16(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v, Mask mask,
                    bool causal, optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, {}, 0, out);
}

void attention_f16_stored(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v, Mask mask,
                          bool causal, optional<float> scale, tensor<half, 4> out) {
    attend(q, k, v, mask, causal, scale, {}, 0, out);
}

void attention_bf16_stored(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                           Mask mask, bool causal, optional<float> scale, tensor<bfloat16, 4> out) {
    attend(q, k, v, mask, causal, scale, {}, 0, out);
}

// P and dS of a whole group as matrices, then the three products in the order of the textbook; nothing is added up in
// the outputs.
void attention_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v, Mask mask,
                        bool causal, optional<float> scale, tensor<const float, 4> dout, tensor<float, 4> dq,
                        tensor<float, 4> dk, tensor<float, 4> dv) {
    const Index B = q.extent(0), Hq = q.extent(1), Lq = q.extent(2), D = q.extent(3);
    const Index Hkv = k.extent(1), Lk = k.extent(2), Dv = v.extent(3), group = Hq / Hkv;
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    for (Index b = 0; b < B; ++b)
        for (Index g = 0; g < Hkv; ++g) {
            std::vector<float> P(group * Lq * Lk), dS(group * Lq * Lk); // (group, Lq, Lk)
            for (Index r = 0; r < group * Lq; ++r) {
                const Index h = g * group + r / Lq, i = r % Lq, p = i + Lk - Lq;
                float* weight = P.data() + r * Lk;
                float* slope = dS.data() + r * Lk;
                float top = -infinity;
                for (Index j = 0; j < Lk; ++j) {
                    weight[j] = -infinity;
                    if (!may_attend(mask, causal, 0, b, h, i, j, p)) continue;
                    float dot = 0;
                    for (Index d = 0; d < D; ++d) dot += q(b, h, i, d) * k(b, g, j, d);
                    weight[j] = factor * dot;
                    top = std::max(top, weight[j]);
                }
                float total = 0, delta = 0;
                for (Index j = 0; j < Lk; ++j)
                    total += weight[j] = weight[j] == -infinity ? 0 : std::exp(weight[j] - top);
                for (Index j = 0; j < Lk; ++j) {
                    if (weight[j] == 0) continue;
                    weight[j] /= total;
                    for (Index d = 0; d < Dv; ++d) slope[j] += dout(b, h, i, d) * v(b, g, j, d);
                    delta += weight[j] * slope[j];
                }
                for (Index j = 0; j < Lk; ++j) slope[j] = weight[j] * (slope[j] - delta);
                for (Index d = 0; d < D; ++d) {
                    float sum = 0;
                    for (Index j = 0; j < Lk; ++j) sum += slope[j] * k(b, g, j, d);
                    dq(b, h, i, d) = factor * sum;
                }
            }
            for (Index j = 0; j < Lk; ++j) {
                for (Index d = 0; d < D; ++d) {
                    float sum = 0;
                    for (Index r = 0; r < group * Lq; ++r) sum += dS[r * Lk + j] * q(b, g * group + r / Lq, r % Lq, d);
                    dk(b, g, j, d) = factor * sum;
                }
                for (Index d = 0; d < Dv; ++d) {
                    float sum = 0;
                    for (Index r = 0; r < group * Lq; ++r)
                        sum += P[r * Lk + j] * dout(b, g * group + r / Lq, r % Lq, d);
                    dv(b, g, j, d) = sum;
                }
            }
        }
}

void attention_biased(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v, Mask mask,
                      bool causal, optional<float> scale, tensor<const float, 1> slopes, int window,
                      tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, slopes, window, out);
}

void begin(tensor<float, 2> state) {
    for (Index i = 0; i < state.extent(0); ++i)
        for (Index c = 0; c < state.extent(1); ++c) state(i, c) = c == 0 ? -infinity : 0.0f;
}

void absorb(tensor<float, 2> state, tensor<const float, 2> q, tensor<const float, 2> k, tensor<const float, 2> v,
            tensor<const bool, 2> mask, float scale) {
    for (Index i = 0; i < q.extent(0); ++i)
        for (Index j = 0; j < k.extent(0); ++j) {
            if (!mask(i, j)) continue;
            float dot = 0;
            for (Index d = 0; d < q.extent(1); ++d) dot += q(i, d) * k(j, d);
            const float logit = scale * dot, top = std::max(state(i, 0), logit);
            const float keep = std::exp(state(i, 0) - top), w = std::exp(logit - top);
            state(i, 0) = top;
            state(i, 1) = state(i, 1) * keep + w;
            for (Index d = 0; d < v.extent(1); ++d) state(i, 2 + d) = state(i, 2 + d) * keep + w * v(j, d);
        }
}

void merge(tensor<float, 2> into, tensor<const float, 2> from) {
    for (Index i = 0; i < into.extent(0); ++i) {
        const float top = std::max(into(i, 0), from(i, 0));
        if (top == -infinity) continue;
        const float keep = std::exp(into(i, 0) - top), take = std::exp(from(i, 0) - top);
        into(i, 0) = top;
        for (Index c = 1; c < into.extent(1); ++c) into(i, c) = into(i, c) * keep + from(i, c) * take;
    }
}

void finish(tensor<const float, 2> state, tensor<float, 2> out) {
    for (Index i = 0; i < out.extent(0); ++i)
        for (Index d = 0; d < out.extent(1); ++d) out(i, d) = state(i, 1) > 0 ? state(i, 2 + d) / state(i, 1) : 0.0f;
}

} // namespace sdpa
