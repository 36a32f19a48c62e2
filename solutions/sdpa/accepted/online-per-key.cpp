// Right: online softmax, key by key. Sums are rescaled only when a new maximum appears.
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
    std::vector<float> sum(Dv);
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < Hq; ++h)
            for (Index i = 0; i < Lq; ++i) {
                const Index g = h * Hkv / Hq, p = i + Lk - Lq;
                float top = -infinity, total = 0;
                std::fill(sum.begin(), sum.end(), 0.0f);
                for (Index j = 0; j < Lk; ++j) {
                    if (!may_attend(mask, causal, window, b, h, i, j, p)) continue;
                    float s = 0;
                    for (Index d = 0; d < D; ++d) s += q(b, h, i, d) * k(b, g, j, d);
                    s *= factor;
                    if (slopes) s -= (*slopes)(h) * static_cast<float>(std::abs(p - j));
                    float w = 1;
                    if (s > top) {
                        const float keep = std::exp(top - s);
                        total *= keep;
                        for (float& x : sum) x *= keep;
                        top = s;
                    } else {
                        w = std::exp(s - top);
                    }
                    total += w;
                    for (Index d = 0; d < Dv; ++d) sum[d] += w * v(b, g, j, d);
                }
                for (Index d = 0; d < Dv; ++d) out(b, h, i, d) = Out(total > 0 ? sum[d] / total : 0.0f);
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

// The first walk over the keys keeps, beside maximum and total, the sum of weight · dP: divided, it is delta.
void attention_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v, Mask mask,
                        bool causal, optional<float> scale, tensor<const float, 4> dout, tensor<float, 4> dq,
                        tensor<float, 4> dk, tensor<float, 4> dv) {
    const Index B = q.extent(0), Hq = q.extent(1), Lq = q.extent(2), D = q.extent(3);
    const Index Hkv = k.extent(1), Lk = k.extent(2), Dv = v.extent(3);
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    for (Index b = 0; b < B; ++b)
        for (Index g = 0; g < Hkv; ++g)
            for (Index j = 0; j < Lk; ++j) {
                for (Index d = 0; d < D; ++d) dk(b, g, j, d) = 0;
                for (Index d = 0; d < Dv; ++d) dv(b, g, j, d) = 0;
            }
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < Hq; ++h)
            for (Index i = 0; i < Lq; ++i) {
                const Index g = h * Hkv / Hq, p = i + Lk - Lq;
                const auto logit = [&](Index j) {
                    float s = 0;
                    for (Index d = 0; d < D; ++d) s += q(b, h, i, d) * k(b, g, j, d);
                    return s * factor;
                };
                const auto pull = [&](Index j) {
                    float s = 0;
                    for (Index d = 0; d < Dv; ++d) s += dout(b, h, i, d) * v(b, g, j, d);
                    return s;
                };
                float top = -infinity, total = 0, pulled = 0;
                for (Index j = 0; j < Lk; ++j) {
                    if (!may_attend(mask, causal, 0, b, h, i, j, p)) continue;
                    const float s = logit(j), higher = std::max(s, top);
                    const float keep = std::exp(top - higher), w = std::exp(s - higher);
                    total = total * keep + w;
                    pulled = pulled * keep + w * pull(j);
                    top = higher;
                }
                for (Index d = 0; d < D; ++d) dq(b, h, i, d) = 0;
                for (Index j = 0; j < Lk; ++j) {
                    if (!may_attend(mask, causal, 0, b, h, i, j, p)) continue;
                    const float w = std::exp(logit(j) - top) / total, slope = w * (pull(j) - pulled / total);
                    for (Index d = 0; d < D; ++d) {
                        dq(b, h, i, d) += slope * (factor * k(b, g, j, d));
                        dk(b, g, j, d) += slope * (factor * q(b, h, i, d));
                    }
                    for (Index d = 0; d < Dv; ++d) dv(b, g, j, d) += w * dout(b, h, i, d);
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
