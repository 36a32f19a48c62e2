// Right: heads go to threads; each writes rows of its own and keeps its scratch to itself.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using assay::optional;
using assay::tensor;

constexpr float lowest = -std::numeric_limits<float>::infinity();

/// One head: q (Lq, D), k (Lk, D), v (Lk, Dv), out (Lq, Dv); `logit(dot, i, j)` is -inf where i may not attend j.
template <class In, class Out, class May, class Logit> void one_head(tensor<const In, 2> q, tensor<const In, 2> k,
                                                                     tensor<const In, 2> v, tensor<Out, 2> out, May may,
                                                                     Logit logit) {
    std::vector<float> s(k.extent(0)), sum(v.extent(1));
    for (std::int64_t i = 0; i < q.extent(0); ++i) {
        std::fill(s.begin(), s.end(), lowest);
        for (std::int64_t j = 0; j < k.extent(0); ++j)
            if (may(i, j)) {
                float dot = 0;
                for (std::int64_t d = 0; d < q.extent(1); ++d) dot += q(i, d) * k(j, d);
                s[j] = logit(dot, i, j);
            }
        std::fill(sum.begin(), sum.end(), 0.0f);
        float total = 0;
        // max_element of an empty range is its end: `top` is then never used.
        const auto top = std::max_element(s.begin(), s.end());
        for (std::int64_t j = 0; j < k.extent(0); ++j)
            if (s[j] > lowest) {
                const float w = std::exp(s[j] - *top);
                total += w;
                for (std::int64_t d = 0; d < v.extent(1); ++d) sum[d] += w * v(j, d);
            }
        for (std::int64_t d = 0; d < v.extent(1); ++d) out(i, d) = Out(total == 0 ? 0.0f : sum[d] / total);
    }
}

/// The last two axes at (b, h).
template <class T> tensor<T, 2> head(tensor<T, 4> x, std::int64_t b, std::int64_t h) {
    const std::ptrdiff_t extents[] = {x.extent(2), x.extent(3)}, strides[] = {x.stride(2), x.stride(3)};
    return {x.data() + b * x.stride(0) + h * x.stride(1), extents, strides};
}

template <class In, class Out> void attend(tensor<const In, 4> q, tensor<const In, 4> k, tensor<const In, 4> v,
                                           optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                                           optional<tensor<const float, 1>> slopes, int window, tensor<Out, 4> out) {
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(q.extent(3))));
    const std::int64_t shift = k.extent(2) - q.extent(2), heads = q.extent(1), group = heads / k.extent(1);
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t n = 0; n < q.extent(0) * heads; ++n) {
        const std::int64_t b = n / heads, h = n % heads;
        one_head(
            head(q, b, h), head(k, b, h / group), head(v, b, h / group), head(out, b, h),
            [&](std::int64_t i, std::int64_t j) {
                const std::int64_t ahead = j - i - shift;
                if (causal && ahead > 0) return false;
                if (window > 0 && (ahead >= window || -ahead >= window)) return false;
                return !mask ||
                       (*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2), j % mask->extent(3));
            },
            [&](float dot, std::int64_t i, std::int64_t j) {
                const float logit = factor * dot;
                return slopes ? logit - (*slopes)(h) * static_cast<float>(std::abs(j - i - shift)) : logit;
            });
    }
}

} // namespace

namespace sdpa {

void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, {}, 0, out);
}

void attention_f16(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                   optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, {}, 0, out);
}

void attention_bf16(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                    optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, {}, 0, out);
}

void attention_f16_stored(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                          optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                          tensor<half, 4> out) {
    attend(q, k, v, mask, causal, scale, {}, 0, out);
}

void attention_bf16_stored(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                           optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                           tensor<bfloat16, 4> out) {
    attend(q, k, v, mask, causal, scale, {}, 0, out);
}

// A thread takes a key/value head with all the query heads that read it, so that nobody else adds to its dk and dv.
void attention_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                        optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                        tensor<const float, 4> dout, tensor<float, 4> dq, tensor<float, 4> dk, tensor<float, 4> dv) {
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(q.extent(3))));
    const std::int64_t Lq = q.extent(2), Lk = k.extent(2), D = q.extent(3), Dv = v.extent(3);
    const std::int64_t heads = k.extent(1), group = q.extent(1) / heads;
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t n = 0; n < k.extent(0) * heads; ++n) {
        const std::int64_t b = n / heads, g = n % heads;
        const tensor<const float, 2> key = head(k, b, g), value = head(v, b, g);
        const tensor<float, 2> key_grad = head(dk, b, g), value_grad = head(dv, b, g);
        for (std::int64_t j = 0; j < Lk; ++j) {
            for (std::int64_t d = 0; d < D; ++d) key_grad(j, d) = 0;
            for (std::int64_t d = 0; d < Dv; ++d) value_grad(j, d) = 0;
        }
        std::vector<float> s(Lk), pull(Lk);
        for (std::int64_t h = g * group; h < (g + 1) * group; ++h) {
            const tensor<const float, 2> query = head(q, b, h), grad = head(dout, b, h);
            const tensor<float, 2> query_grad = head(dq, b, h);
            for (std::int64_t i = 0; i < Lq; ++i) {
                float total = 0, delta = 0, top = lowest;
                for (std::int64_t j = 0; j < Lk; ++j) {
                    s[j] = lowest;
                    if (causal && j > i + Lk - Lq) continue;
                    if (mask &&
                        !(*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2), j % mask->extent(3)))
                        continue;
                    float dot = 0;
                    for (std::int64_t d = 0; d < D; ++d) dot += query(i, d) * key(j, d);
                    s[j] = factor * dot;
                    top = std::max(top, s[j]);
                }
                for (std::int64_t j = 0; j < Lk; ++j) {
                    s[j] = s[j] > lowest ? std::exp(s[j] - top) : 0;
                    pull[j] = 0;
                    for (std::int64_t d = 0; d < Dv; ++d) pull[j] += grad(i, d) * value(j, d);
                    total += s[j];
                    delta += s[j] * pull[j];
                }
                for (std::int64_t d = 0; d < D; ++d) query_grad(i, d) = 0;
                for (std::int64_t j = 0; j < Lk; ++j) {
                    if (s[j] == 0) continue;
                    const float weight = s[j] / total, slope = weight * (pull[j] - delta / total);
                    for (std::int64_t d = 0; d < D; ++d) query_grad(i, d) += factor * slope * key(j, d);
                    for (std::int64_t d = 0; d < D; ++d) key_grad(j, d) += factor * slope * query(i, d);
                    for (std::int64_t d = 0; d < Dv; ++d) value_grad(j, d) += weight * grad(i, d);
                }
            }
        }
    }
}

void attention_biased(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                      optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                      tensor<const float, 1> slopes, int window, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, slopes, window, out);
}

void begin(tensor<float, 2> state) {
    for (std::int64_t i = 0; i < state.extent(0); ++i)
        for (std::int64_t c = 0; c < state.extent(1); ++c) state(i, c) = c == 0 ? lowest : 0.0f;
}

void merge(tensor<float, 2> into, tensor<const float, 2> from) {
#pragma omp parallel for
    for (std::int64_t i = 0; i < into.extent(0); ++i) {
        const float top = std::max(into(i, 0), from(i, 0));
        if (top == lowest) continue;
        const float keep = std::exp(into(i, 0) - top), take = std::exp(from(i, 0) - top);
        into(i, 0) = top;
        for (std::int64_t c = 1; c < into.extent(1); ++c) into(i, c) = keep * into(i, c) + take * from(i, c);
    }
}

void absorb(tensor<float, 2> state, tensor<const float, 2> q, tensor<const float, 2> k, tensor<const float, 2> v,
            tensor<const bool, 2> mask, float scale) {
#pragma omp parallel for
    for (std::int64_t i = 0; i < q.extent(0); ++i)
        for (std::int64_t j = 0; j < k.extent(0); ++j) {
            if (!mask(i, j)) continue;
            float dot = 0;
            for (std::int64_t d = 0; d < q.extent(1); ++d) dot += q(i, d) * k(j, d);
            const float top = std::max(state(i, 0), dot * scale);
            const float keep = std::exp(state(i, 0) - top), take = std::exp(dot * scale - top);
            state(i, 0) = top;
            state(i, 1) = keep * state(i, 1) + take;
            for (std::int64_t d = 0; d < v.extent(1); ++d) state(i, d + 2) = keep * state(i, d + 2) + take * v(j, d);
        }
}

void finish(tensor<const float, 2> state, tensor<float, 2> out) {
    for (std::int64_t i = 0; i < out.extent(0); ++i)
        for (std::int64_t d = 0; d < out.extent(1); ++d)
            out(i, d) = state(i, 1) == 0 ? 0.0f : state(i, d + 2) / state(i, 1);
}

} // namespace sdpa
