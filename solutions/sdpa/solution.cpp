// The model answer to `sdpa`: one row at a time, two passes over the keys it may attend, sums in float for every
// storage type; the gradients recompute each row the same way. Written to be right and read; it is fast enough for a
// candidate's machine, not a fast kernel.
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

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// Which keys a query may attend, and what is taken off their logits.
struct Pattern {
    optional<tensor<const bool, 4>> mask;
    bool causal;
    optional<tensor<const float, 1>> slopes = {}; // ALiBi, (Hq)
    Index window = 0;                             // 0: none

    /// `behind`: how many places key j lies behind the query's own position among the keys; < 0 is the future.
    bool allows(Index b, Index h, Index i, Index j, Index behind) const {
        if (causal && behind < 0) return false;
        if (window > 0 && std::abs(behind) >= window) return false;
        // An index modulo an extent of 1 is 0, and modulo a full extent itself: that is broadcasting.
        return !mask || (*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2), j % mask->extent(3));
    }

    float bias(Index h, Index behind) const {
        return slopes ? (*slopes)(h) * static_cast<float>(std::abs(behind)) : 0.0f;
    }
};

/// The keys that one query may attend, and exp(logit - largest logit) for each: `total` is their sum.
struct Row {
    std::vector<Index> keys;
    std::vector<float> weights;
    float total = 0;
};

/// Fills `row` for query (b, h, i); q (B, Hq, Lq, D), k (B, Hkv, Lk, D).
template <class In> void weigh(tensor<const In, 4> q, tensor<const In, 4> k, const Pattern& pattern, float factor,
                               Index b, Index h, Index i, Row& row) {
    const Index Lq = q.extent(2), Lk = k.extent(2), kv = h / (q.extent(1) / k.extent(1));
    row.keys.clear();
    row.weights.clear();
    row.total = 0;
    float max = minus_infinity;
    for (Index j = 0; j < Lk; ++j) {
        const Index behind = i + Lk - Lq - j;
        // A masked key is never read: NaN lying there can't leak by 0 · NaN.
        if (!pattern.allows(b, h, i, j, behind)) continue;
        float dot = 0;
        for (Index d = 0; d < q.extent(3); ++d) dot += q(b, h, i, d) * k(b, kv, j, d);
        row.keys.push_back(j);
        row.weights.push_back(factor * dot - pattern.bias(h, behind));
        max = std::max(max, row.weights.back());
    }
    // The largest exponent is 0, so nothing overflows, and total is at least 1 where there is a key.
    for (float& weight : row.weights) row.total += weight = std::exp(weight - max);
}

float factor_of(optional<float> scale, Index D) { return scale.value_or(1 / std::sqrt(static_cast<float>(D))); }

/// q (B, Hq, Lq, D), k (B, Hkv, Lk, D), v (B, Hkv, Lk, Dv), out (B, Hq, Lq, Dv).
template <class In, class Out> void attend(tensor<const In, 4> q, tensor<const In, 4> k, tensor<const In, 4> v,
                                           const Pattern& pattern, optional<float> scale, tensor<Out, 4> out) {
    const float factor = factor_of(scale, q.extent(3));
    const Index group = q.extent(1) / k.extent(1);
    Row row;
    std::vector<float> sum; // Σ weight · v, (Dv)
    for (Index b = 0; b < q.extent(0); ++b)
        for (Index h = 0; h < q.extent(1); ++h)
            for (Index i = 0; i < q.extent(2); ++i) {
                weigh(q, k, pattern, factor, b, h, i, row);
                sum.assign(v.extent(3), 0.0f);
                for (std::size_t n = 0; n < row.keys.size(); ++n)
                    for (Index d = 0; d < v.extent(3); ++d) sum[d] += row.weights[n] * v(b, h / group, row.keys[n], d);
                // A row without keys has nothing to divide by.
                for (Index d = 0; d < v.extent(3); ++d)
                    out(b, h, i, d) = Out(row.keys.empty() ? 0 : sum[d] / row.total);
            }
}

void fill_with_zeros(tensor<float, 4> x) {
    for (Index b = 0; b < x.extent(0); ++b)
        for (Index h = 0; h < x.extent(1); ++h)
            for (Index i = 0; i < x.extent(2); ++i)
                for (Index d = 0; d < x.extent(3); ++d) x(b, h, i, d) = 0;
}

} // namespace

namespace sdpa {

void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, {mask, causal}, scale, out);
}

void attention_f16(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                   optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, {mask, causal}, scale, out);
}

void attention_bf16(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                    optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, {mask, causal}, scale, out);
}

void attention_f16_stored(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                          optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                          tensor<half, 4> out) {
    attend(q, k, v, {mask, causal}, scale, out);
}

void attention_bf16_stored(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                           optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                           tensor<bfloat16, 4> out) {
    attend(q, k, v, {mask, causal}, scale, out);
}

void attention_biased(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                      optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                      tensor<const float, 1> slopes, int window, tensor<float, 4> out) {
    attend(q, k, v, {mask, causal, slopes, window}, scale, out);
}

void attention_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                        optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                        tensor<const float, 4> dout, tensor<float, 4> dq, tensor<float, 4> dk, tensor<float, 4> dv) {
    const Index D = q.extent(3), Dv = v.extent(3), group = q.extent(1) / k.extent(1);
    const float factor = factor_of(scale, D);
    // Every sum starts here: of a row without keys, of a key that nobody attends, of all heads of a group.
    fill_with_zeros(dq);
    fill_with_zeros(dk);
    fill_with_zeros(dv);
    Row row;
    std::vector<float> dp; // dout · v of each of the row's keys
    for (Index b = 0; b < q.extent(0); ++b)
        for (Index h = 0; h < q.extent(1); ++h)
            for (Index i = 0; i < q.extent(2); ++i) {
                const Index kv = h / group;
                weigh(q, k, {mask, causal}, factor, b, h, i, row);
                dp.clear();
                float delta = 0; // Σ p dp, which is dout · out as well
                for (std::size_t n = 0; n < row.keys.size(); ++n) {
                    float dot = 0;
                    for (Index d = 0; d < Dv; ++d) dot += dout(b, h, i, d) * v(b, kv, row.keys[n], d);
                    dp.push_back(dot);
                    delta += row.weights[n] / row.total * dot;
                }
                for (std::size_t n = 0; n < row.keys.size(); ++n) {
                    const Index j = row.keys[n];
                    const float p = row.weights[n] / row.total;
                    // The logit is factor · q·k: what is passed on to q and k carries the factor once.
                    const float ds = factor * p * (dp[n] - delta);
                    for (Index d = 0; d < D; ++d) dq(b, h, i, d) += ds * k(b, kv, j, d);
                    for (Index d = 0; d < D; ++d) dk(b, kv, j, d) += ds * q(b, h, i, d);
                    for (Index d = 0; d < Dv; ++d) dv(b, kv, j, d) += p * dout(b, h, i, d);
                }
            }
}

// A row of the streaming state: the largest logit m so far, the sum l of exp(logit - m), and the sum of
// exp(logit - m) · v in columns 2 on. A row that attended something has l >= 1; one that did not, m = -inf and l = 0.
// Two floats of a row are spare.

void begin(tensor<float, 2> state) {
    for (Index i = 0; i < state.extent(0); ++i)
        for (Index c = 0; c < state.extent(1); ++c) state(i, c) = c == 0 ? minus_infinity : 0.0f;
}

void absorb(tensor<float, 2> state, tensor<const float, 2> q, tensor<const float, 2> k, tensor<const float, 2> v,
            tensor<const bool, 2> mask, float scale) {
    for (Index i = 0; i < q.extent(0); ++i)
        for (Index j = 0; j < k.extent(0); ++j) {
            if (!mask(i, j)) continue;
            float dot = 0;
            for (Index d = 0; d < q.extent(1); ++d) dot += q(i, d) * k(j, d);
            const float logit = scale * dot;
            const float max = std::max(state(i, 0), logit);
            // What stands relative to the old maximum is brought to the new one. For the row's first key this is
            // exp(-inf - finite) = 0, of sums that are 0 already.
            const float keep = std::exp(state(i, 0) - max);
            const float weight = std::exp(logit - max);
            state(i, 0) = max;
            state(i, 1) = state(i, 1) * keep + weight;
            for (Index d = 0; d < v.extent(1); ++d) state(i, 2 + d) = state(i, 2 + d) * keep + weight * v(j, d);
        }
}

void merge(tensor<float, 2> into, tensor<const float, 2> from) {
    for (Index i = 0; i < into.extent(0); ++i) {
        if (from(i, 1) == 0) continue; // it attended nothing; where `into` did not either, -inf - -inf would be NaN
        const float max = std::max(into(i, 0), from(i, 0));
        const float keep = std::exp(into(i, 0) - max);
        const float take = std::exp(from(i, 0) - max);
        into(i, 0) = max;
        for (Index c = 1; c < into.extent(1); ++c) into(i, c) = into(i, c) * keep + from(i, c) * take;
    }
}

void finish(tensor<const float, 2> state, tensor<float, 2> out) {
    for (Index i = 0; i < out.extent(0); ++i)
        for (Index d = 0; d < out.extent(1); ++d) out(i, d) = state(i, 1) > 0 ? state(i, 2 + d) / state(i, 1) : 0.0f;
}

} // namespace sdpa
