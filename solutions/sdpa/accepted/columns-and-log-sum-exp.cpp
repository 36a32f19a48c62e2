// Right: a head's scores as a matrix, built channel by channel as outer products; weights are exp(s - logsumexp(s)).
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
using std::size_t;

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// log(Σ exp(s)) over a row; -inf where nothing is allowed.
float log_sum_exp(const float* row, size_t n) {
    const float max = n == 0 ? minus_infinity : *std::max_element(row, row + n);
    if (max == minus_infinity) return max;
    float total = 0;
    for (size_t j = 0; j < n; ++j) total += std::exp(row[j] - max);
    return max + std::log(total);
}

template <class In, class Out> void attend(tensor<const In, 4> q, tensor<const In, 4> k, tensor<const In, 4> v,
                                           optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                                           optional<tensor<const float, 1>> slopes, int window, tensor<Out, 4> out) {
    const size_t B = q.extent(0), Hq = q.extent(1), Lq = q.extent(2), D = q.extent(3);
    const size_t Hkv = k.extent(1), Lk = k.extent(2), Dv = v.extent(3);
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    for (size_t b = 0; b < B; ++b)
        for (size_t h = 0; h < Hq; ++h) {
            const size_t kv = h * Hkv / Hq;
            std::vector<float> s(Lq * Lk); // (Lq, Lk)
            for (size_t d = 0; d < D; ++d)
                for (size_t i = 0; i < Lq; ++i)
                    for (size_t j = 0; j < Lk; ++j) s[i * Lk + j] += q(b, h, i, d) * k(b, kv, j, d);
            for (size_t i = 0; i < Lq; ++i)
                for (size_t j = 0; j < Lk; ++j) {
                    // How far the key lies ahead of the query; signed, as Lk - Lq may be negative.
                    const long ahead = static_cast<long>(j + Lq) - static_cast<long>(i + Lk);
                    bool seen = !causal || ahead <= 0;
                    if (window > 0) seen = seen && std::labs(ahead) < window;
                    if (mask)
                        seen = seen && (*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2),
                                               j % mask->extent(3));
                    float& logit = s[i * Lk + j];
                    logit *= factor;
                    if (slopes) logit -= (*slopes)(h) * static_cast<float>(std::labs(ahead));
                    // Whatever a masked key's score came to, NaN too, is thrown away here.
                    if (!seen) logit = minus_infinity;
                }
            for (size_t i = 0; i < Lq; ++i) {
                const float lse = log_sum_exp(s.data() + i * Lk, Lk);
                for (size_t j = 0; j < Lk; ++j)
                    s[i * Lk + j] = lse == minus_infinity ? 0 : std::exp(s[i * Lk + j] - lse);
            }
            for (size_t d = 0; d < Dv; ++d)
                for (size_t i = 0; i < Lq; ++i) {
                    float sum = 0;
                    for (size_t j = 0; j < Lk; ++j)
                        if (s[i * Lk + j] > 0) sum += s[i * Lk + j] * v(b, kv, j, d);
                    out(b, h, i, d) = Out(sum);
                }
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

void attention_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                        optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                        tensor<const float, 4> dout, tensor<float, 4> dq, tensor<float, 4> dk, tensor<float, 4> dv) {
    const size_t B = q.extent(0), Hq = q.extent(1), Lq = q.extent(2), D = q.extent(3);
    const size_t Hkv = k.extent(1), Lk = k.extent(2), Dv = v.extent(3);
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    for (size_t b = 0; b < B; ++b)
        for (size_t h = 0; h < Hq; ++h) {
            const size_t kv = h * Hkv / Hq;
            const bool first = h % (Hq / Hkv) == 0; // of its group: it writes where the others add
            std::vector<float> s(Lq * Lk), dp(Lq * Lk);
            for (size_t d = 0; d < D; ++d)
                for (size_t i = 0; i < Lq; ++i)
                    for (size_t j = 0; j < Lk; ++j) s[i * Lk + j] += factor * q(b, h, i, d) * k(b, kv, j, d);
            for (size_t d = 0; d < Dv; ++d)
                for (size_t i = 0; i < Lq; ++i)
                    for (size_t j = 0; j < Lk; ++j) dp[i * Lk + j] += dout(b, h, i, d) * v(b, kv, j, d);
            for (size_t i = 0; i < Lq; ++i) {
                for (size_t j = 0; j < Lk; ++j) {
                    bool seen = !causal || j + Lq <= i + Lk;
                    if (mask)
                        seen = seen && (*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2),
                                               j % mask->extent(3));
                    if (!seen) s[i * Lk + j] = minus_infinity;
                }
                const float lse = log_sum_exp(s.data() + i * Lk, Lk);
                float delta = 0;
                for (size_t j = 0; j < Lk; ++j) {
                    s[i * Lk + j] = lse == minus_infinity ? 0 : std::exp(s[i * Lk + j] - lse);
                    delta += s[i * Lk + j] * dp[i * Lk + j];
                }
                for (size_t j = 0; j < Lk; ++j) dp[i * Lk + j] = s[i * Lk + j] * (dp[i * Lk + j] - delta);
            }
            // s holds P now, and dp dS: one channel of one output at a time.
            for (size_t d = 0; d < D; ++d) {
                for (size_t i = 0; i < Lq; ++i) {
                    float sum = 0;
                    for (size_t j = 0; j < Lk; ++j) sum += dp[i * Lk + j] * k(b, kv, j, d);
                    dq(b, h, i, d) = sum * factor;
                }
                for (size_t j = 0; j < Lk; ++j) {
                    float sum = 0;
                    for (size_t i = 0; i < Lq; ++i) sum += dp[i * Lk + j] * q(b, h, i, d);
                    dk(b, kv, j, d) = (first ? 0 : dk(b, kv, j, d)) + sum * factor;
                }
            }
            for (size_t d = 0; d < Dv; ++d)
                for (size_t j = 0; j < Lk; ++j) {
                    float sum = 0;
                    for (size_t i = 0; i < Lq; ++i) sum += s[i * Lk + j] * dout(b, h, i, d);
                    dv(b, kv, j, d) = (first ? 0 : dv(b, kv, j, d)) + sum;
                }
        }
}

void attention_biased(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                      optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                      tensor<const float, 1> slopes, int window, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, slopes, window, out);
}

// The state is already normalised: column 0 the log-sum-exp of all logits so far, then the output over those keys. A
// new part joins as a weighted mean, with weights exp(lse - joint lse), and finish has nothing left to divide.
void begin(tensor<float, 2> state) {
    for (int i = 0; i < state.extent(0); ++i)
        for (int c = 0; c < state.extent(1); ++c) state(i, c) = c == 0 ? minus_infinity : 0.0f;
}

namespace {
/// Joins a part with log-sum-exp `lse` (finite) and output value(d).
template <class Value> void join(tensor<float, 2> state, int i, float lse, long Dv, Value value) {
    const float both[] = {state(i, 0), lse};
    const float joint = log_sum_exp(both, 2);
    const float keep = std::exp(state(i, 0) - joint), take = std::exp(lse - joint);
    state(i, 0) = joint;
    for (int d = 0; d < Dv; ++d) state(i, 1 + d) = keep * state(i, 1 + d) + take * value(d);
}
} // namespace

void absorb(tensor<float, 2> state, tensor<const float, 2> q, tensor<const float, 2> k, tensor<const float, 2> v,
            tensor<const bool, 2> mask, float scale) {
    for (int i = 0; i < q.extent(0); ++i) {
        std::vector<float> s(k.extent(0), minus_infinity);
        for (int j = 0; j < k.extent(0); ++j) {
            if (!mask(i, j)) continue;
            s[j] = 0;
            for (int d = 0; d < q.extent(1); ++d) s[j] += scale * q(i, d) * k(j, d);
        }
        const float lse = log_sum_exp(s.data(), s.size());
        if (lse == minus_infinity) continue;
        join(state, i, lse, v.extent(1), [&](int d) {
            float sum = 0;
            for (int j = 0; j < k.extent(0); ++j)
                if (mask(i, j)) sum += std::exp(s[j] - lse) * v(j, d);
            return sum;
        });
    }
}

void merge(tensor<float, 2> into, tensor<const float, 2> from) {
    for (int i = 0; i < into.extent(0); ++i)
        if (from(i, 0) > minus_infinity)
            join(into, i, from(i, 0), from.extent(1) - 4, [&](int d) { return from(i, 1 + d); });
}

void finish(tensor<const float, 2> state, tensor<float, 2> out) {
    for (int i = 0; i < out.extent(0); ++i)
        for (int d = 0; d < out.extent(1); ++d) out(i, d) = state(i, 1 + d);
}

} // namespace sdpa
