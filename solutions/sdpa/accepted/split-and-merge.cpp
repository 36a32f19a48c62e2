// Right: attention is its own streaming routine. Keys are halved until one is left, and the halves' states are merged.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <vector>

namespace {

using assay::optional;
using assay::tensor;

/// Weights and values summed over some keys, relative to their largest logit.
struct State {
    float top = -std::numeric_limits<float>::infinity(), total = 0;
    std::vector<float> sum;
};

State merged(const State& a, const State& b) {
    if (a.total == 0) return b;
    if (b.total == 0) return a;
    const State& high = a.top < b.top ? b : a;
    const State& low = a.top < b.top ? a : b;
    const float shrink = std::exp(low.top - high.top);
    State both = high;
    both.total += shrink * low.total;
    for (std::size_t d = 0; d < both.sum.size(); ++d) both.sum[d] += shrink * low.sum[d];
    return both;
}

/// The state of keys [first, last): `leaf(j)` is that of one key, without a total where it is masked.
template <class Leaf> State reduce(long first, long last, const Leaf& leaf) {
    if (last - first == 1) return leaf(first);
    const long middle = std::midpoint(first, last);
    return merged(reduce(first, middle, leaf), reduce(middle, last, leaf));
}

template <class In, class Out, class Bias>
void attend(tensor<const In, 4> q, tensor<const In, 4> k, tensor<const In, 4> v,
            const optional<tensor<const bool, 4>>& mask, bool causal, optional<float> scale, long window, Bias bias,
            tensor<Out, 4> out) {
    const long D = q.extent(3), Dv = v.extent(3), Lq = q.extent(2), Lk = k.extent(2), group = q.extent(1) / k.extent(1);
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    for (long b = 0; b < q.extent(0); ++b)
        for (long h = 0; h < q.extent(1); ++h)
            for (long i = 0; i < Lq; ++i) {
                const long p = i + Lk - Lq, kv = h / group;
                // Keys that neither the causal past nor the window holds are cut off before the first halving.
                const long end = std::min({Lk, causal ? p + 1 : Lk, window > 0 ? p + window : Lk});
                const long start = std::max(0L, window > 0 ? p - window + 1 : 0);
                State row;
                if (start < end)
                    row = reduce(start, end, [&](long j) {
                        State one;
                        if (mask && !(*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2),
                                             j % mask->extent(3)))
                            return one;
                        float logit = 0;
                        for (long d = 0; d < D; ++d) logit += q(b, h, i, d) * k(b, kv, j, d);
                        one.top = bias(logit * factor, h, std::abs(p - j));
                        one.total = 1;
                        for (long d = 0; d < Dv; ++d) one.sum.push_back(v(b, kv, j, d));
                        return one;
                    });
                for (long d = 0; d < Dv; ++d) out(b, h, i, d) = Out(row.total > 0 ? row.sum[d] / row.total : 0.0f);
            }
}

constexpr auto none = [](float logit, long, long) { return logit; };

/// A row of the streaming state, and back. Column 0 says whether anything was attended: it holds the total.
State at(tensor<const float, 2> state, long i) {
    State row{state(i, 1), state(i, 0), {}};
    for (long c = 2; c < state.extent(1) - 2; ++c) row.sum.push_back(state(i, c));
    return row;
}

void put(tensor<float, 2> state, long i, const State& row) {
    state(i, 0) = row.total;
    state(i, 1) = row.top;
    for (std::size_t d = 0; d < row.sum.size(); ++d) state(i, 2 + d) = row.sum[d];
}

} // namespace

namespace sdpa {

void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, 0, none, out);
}

void attention_f16(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                   optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, 0, none, out);
}

void attention_bf16(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                    optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, 0, none, out);
}

void attention_f16_stored(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                          optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                          tensor<half, 4> out) {
    attend(q, k, v, mask, causal, scale, 0, none, out);
}

void attention_bf16_stored(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                           optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                           tensor<bfloat16, 4> out) {
    attend(q, k, v, mask, causal, scale, 0, none, out);
}

// The row's state with one more value a key, dout·v: its mean under the weights is delta.
void attention_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                        optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                        tensor<const float, 4> dout, tensor<float, 4> dq, tensor<float, 4> dk, tensor<float, 4> dv) {
    const long D = q.extent(3), Dv = v.extent(3), Lq = q.extent(2), Lk = k.extent(2), group = q.extent(1) / k.extent(1);
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    for (long b = 0; b < q.extent(0); ++b)
        for (long g = 0; g < k.extent(1); ++g) {
            std::vector<float> keys(Lk * D), values(Lk * Dv);
            for (long h = g * group; h < (g + 1) * group; ++h)
                for (long i = 0; i < Lq; ++i) {
                    const auto leaf = [&](long j) {
                        State one;
                        if (mask && !(*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2),
                                             j % mask->extent(3)))
                            return one;
                        float logit = 0, pull = 0;
                        for (long d = 0; d < D; ++d) logit += q(b, h, i, d) * k(b, g, j, d);
                        for (long d = 0; d < Dv; ++d) pull += dout(b, h, i, d) * v(b, g, j, d);
                        return State{logit * factor, 1, {pull}};
                    };
                    const long end = std::min(Lk, causal ? i + Lk - Lq + 1 : Lk);
                    const State row = end > 0 ? reduce(0, end, leaf) : State{};
                    std::vector<float> query(D);
                    for (long j = 0; j < end; ++j) {
                        const State one = leaf(j);
                        if (one.total == 0) continue;
                        const float weight = std::exp(one.top - row.top) / row.total;
                        const float slope = factor * weight * (one.sum[0] - row.sum[0] / row.total);
                        for (long d = 0; d < D; ++d) query[d] += slope * k(b, g, j, d);
                        for (long d = 0; d < D; ++d) keys[j * D + d] += slope * q(b, h, i, d);
                        for (long d = 0; d < Dv; ++d) values[j * Dv + d] += weight * dout(b, h, i, d);
                    }
                    for (long d = 0; d < D; ++d) dq(b, h, i, d) = query[d];
                }
            for (long j = 0; j < Lk; ++j) {
                for (long d = 0; d < D; ++d) dk(b, g, j, d) = keys[j * D + d];
                for (long d = 0; d < Dv; ++d) dv(b, g, j, d) = values[j * Dv + d];
            }
        }
}

void attention_biased(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                      optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                      tensor<const float, 1> slopes, int window, tensor<float, 4> out) {
    attend(
        q, k, v, mask, causal, scale, window,
        [slopes](float logit, long h, long distance) { return logit - slopes(h) * static_cast<float>(distance); }, out);
}

void begin(tensor<float, 2> state) {
    State nothing;
    nothing.sum.resize(state.extent(1) - 2);
    for (long i = 0; i < state.extent(0); ++i) put(state, i, nothing);
}

void absorb(tensor<float, 2> state, tensor<const float, 2> q, tensor<const float, 2> k, tensor<const float, 2> v,
            tensor<const bool, 2> mask, float scale) {
    if (k.extent(0) == 0) return;
    for (long i = 0; i < q.extent(0); ++i)
        put(state, i, merged(at(state, i), reduce(0, k.extent(0), [&](long j) {
                                 State one;
                                 if (!mask(i, j)) return one;
                                 float logit = 0;
                                 for (long d = 0; d < q.extent(1); ++d) logit += q(i, d) * k(j, d);
                                 one.top = logit * scale;
                                 one.total = 1;
                                 for (long d = 0; d < v.extent(1); ++d) one.sum.push_back(v(j, d));
                                 return one;
                             })));
}

void merge(tensor<float, 2> into, tensor<const float, 2> from) {
    for (long i = 0; i < into.extent(0); ++i) put(into, i, merged(at(into, i), at(from, i)));
}

void finish(tensor<const float, 2> state, tensor<float, 2> out) {
    for (long i = 0; i < out.extent(0); ++i)
        for (long d = 0; d < out.extent(1); ++d)
            out(i, d) = state(i, 0) > 0 ? at(state, i).sum[d] / at(state, i).total : 0;
}

} // namespace sdpa
