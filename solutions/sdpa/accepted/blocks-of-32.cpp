// Right: FlashAttention's order. Blocks of 32 keys, one maximum and one rescale a block; streaming by whole blocks too.
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
constexpr Index block = 32;

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
                const Index g = h / (Hq / Hkv), p = i + Lk - Lq;
                float top = -infinity, total = 0;
                sum.assign(Dv, 0.0f);
                for (Index start = 0; start < Lk; start += block) {
                    const Index end = std::min(start + block, Lk);
                    float s[block], block_top = top;
                    for (Index j = start; j < end; ++j) {
                        float& logit = s[j - start];
                        logit = -infinity;
                        if (!may_attend(mask, causal, window, b, h, i, j, p)) continue;
                        float dot = 0;
                        for (Index d = 0; d < D; ++d) dot += q(b, h, i, d) * k(b, g, j, d);
                        logit = factor * dot - (slopes ? (*slopes)(h) * static_cast<float>(std::abs(p - j)) : 0.0f);
                        block_top = std::max(block_top, logit);
                    }
                    if (block_top == -infinity) continue;
                    const float keep = std::exp(top - block_top);
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
                for (Index d = 0; d < Dv; ++d) out(b, h, i, d) = Out(total > 0 ? sum[d] / total : 0.0f);
            }
}

/// Row i of head h of x times row j of head g of y.
float dot_of(tensor<const float, 4> x, tensor<const float, 4> y, Index b, Index h, Index i, Index g, Index j) {
    float dot = 0;
    for (Index d = 0; d < x.extent(3); ++d) dot += x(b, h, i, d) * y(b, g, j, d);
    return dot;
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

// FlashAttention-2's way back: the log-sum-exp and dout·out of every row first, then blocks of keys outermost, each
// recomputing its weights as exp(s - lse).
void attention_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v, Mask mask,
                        bool causal, optional<float> scale, tensor<const float, 4> dout, tensor<float, 4> dq,
                        tensor<float, 4> dk, tensor<float, 4> dv) {
    const Index B = q.extent(0), Hq = q.extent(1), Lq = q.extent(2), D = q.extent(3);
    const Index Hkv = k.extent(1), Lk = k.extent(2), Dv = v.extent(3);
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    std::vector<float> result(B * Hq * Lq * Dv), lse(B * Hq * Lq), delta(B * Hq * Lq);
    const Index extents[] = {B, Hq, Lq, Dv}, strides[] = {Hq * Lq * Dv, Lq * Dv, Dv, 1};
    attend(q, k, v, mask, causal, scale, {}, 0, tensor<float, 4>(result.data(), extents, strides));
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < Hq; ++h)
            for (Index i = 0; i < Lq; ++i) {
                const Index row = (b * Hq + h) * Lq + i, g = h / (Hq / Hkv);
                for (Index d = 0; d < Dv; ++d) delta[row] += dout(b, h, i, d) * result[row * Dv + d];
                for (Index d = 0; d < D; ++d) dq(b, h, i, d) = 0;
                float top = -infinity, total = 0;
                for (Index j = 0; j < Lk; ++j) {
                    if (!may_attend(mask, causal, 0, b, h, i, j, i + Lk - Lq)) continue;
                    const float s = factor * dot_of(q, k, b, h, i, g, j), higher = std::max(top, s);
                    total = total * std::exp(top - higher) + std::exp(s - higher);
                    top = higher;
                }
                lse[row] = top + std::log(total);
            }
    std::vector<float> key_sum(block * D), value_sum(block * Dv);
    for (Index b = 0; b < B; ++b)
        for (Index g = 0; g < Hkv; ++g)
            for (Index start = 0; start < Lk; start += block) {
                const Index end = std::min(start + block, Lk);
                std::fill(key_sum.begin(), key_sum.end(), 0.0f);
                std::fill(value_sum.begin(), value_sum.end(), 0.0f);
                for (Index h = g * (Hq / Hkv); h < (g + 1) * (Hq / Hkv); ++h)
                    for (Index i = 0; i < Lq; ++i)
                        for (Index j = start; j < end; ++j) {
                            if (!may_attend(mask, causal, 0, b, h, i, j, i + Lk - Lq)) continue;
                            const Index row = (b * Hq + h) * Lq + i;
                            const float w = std::exp(factor * dot_of(q, k, b, h, i, g, j) - lse[row]);
                            const float slope = w * (dot_of(dout, v, b, h, i, g, j) - delta[row]) * factor;
                            for (Index d = 0; d < D; ++d) {
                                dq(b, h, i, d) += slope * k(b, g, j, d);
                                key_sum[(j - start) * D + d] += slope * q(b, h, i, d);
                            }
                            for (Index d = 0; d < Dv; ++d) value_sum[(j - start) * Dv + d] += w * dout(b, h, i, d);
                        }
                for (Index j = start; j < end; ++j) {
                    for (Index d = 0; d < D; ++d) dk(b, g, j, d) = key_sum[(j - start) * D + d];
                    for (Index d = 0; d < Dv; ++d) dv(b, g, j, d) = value_sum[(j - start) * Dv + d];
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
    std::vector<float> s(k.extent(0));
    for (Index i = 0; i < q.extent(0); ++i) {
        float top = state(i, 0);
        for (Index j = 0; j < k.extent(0); ++j) {
            s[j] = -infinity;
            if (!mask(i, j)) continue;
            float dot = 0;
            for (Index d = 0; d < q.extent(1); ++d) dot += q(i, d) * k(j, d);
            s[j] = scale * dot;
            top = std::max(top, s[j]);
        }
        if (top == -infinity) continue;
        const float keep = std::exp(state(i, 0) - top);
        state(i, 0) = top;
        for (Index c = 1; c < v.extent(1) + 2; ++c) state(i, c) *= keep;
        for (Index j = 0; j < k.extent(0); ++j) {
            if (s[j] == -infinity) continue;
            const float w = std::exp(s[j] - top);
            state(i, 1) += w;
            for (Index d = 0; d < v.extent(1); ++d) state(i, 2 + d) += w * v(j, d);
        }
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
