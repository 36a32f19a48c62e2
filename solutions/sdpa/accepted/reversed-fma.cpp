// Right: keys from the last to the first, channels too, every multiply-add fused.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace {

using assay::optional;
using assay::tensor;

constexpr float low = -std::numeric_limits<float>::infinity();

/// Running softmax of one row: the largest logit, and weights and values summed relative to it.
struct Running {
    float top = low, total = 0;
    std::vector<float> sum;

    /// Takes one logit, whose value at channel d is value(d).
    template <class Value> void take(float logit, Value value) {
        const float above = std::max(top, logit);
        const float keep = std::exp(top - above), weight = std::exp(logit - above);
        top = above;
        total = std::fma(total, keep, weight);
        for (int d = 0; d < static_cast<int>(sum.size()); ++d) sum[d] = std::fma(weight, value(d), sum[d] * keep);
    }
    float result(int d) const { return total > 0 ? sum[d] / total : 0.0f; }
};

struct Question {
    optional<tensor<const bool, 4>> mask;
    bool causal;
    optional<float> scale;
    optional<tensor<const float, 1>> slopes = {};
    long window = 0;
};

template <class In, class Out> void solve(tensor<const In, 4> q, tensor<const In, 4> k, tensor<const In, 4> v,
                                          const Question& ask, tensor<Out, 4> out) {
    const int B = static_cast<int>(q.extent(0)), Hq = static_cast<int>(q.extent(1));
    const int Lq = static_cast<int>(q.extent(2)), Lk = static_cast<int>(k.extent(2));
    const int D = static_cast<int>(q.extent(3)), Dv = static_cast<int>(v.extent(3));
    const int Hkv = static_cast<int>(k.extent(1));
    const float factor = ask.scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    auto allowed = [&](int b, int h, int i, long j) {
        const auto at = [&](int axis, long index) { return ask.mask->extent(axis) == 1 ? 0 : index; };
        return !ask.mask || (*ask.mask)(at(0, b), at(1, h), at(2, i), at(3, j));
    };
    for (int b = 0; b < B; ++b)
        for (int h = 0; h < Hq; ++h)
            for (int i = 0; i < Lq; ++i) {
                const int kv = h / (Hq / Hkv);
                const long p = i + Lk - Lq;
                // The window is an interval of keys, and so is the causal past: walk their intersection backwards.
                long first = 0, last = Lk - 1;
                if (ask.window > 0) {
                    first = std::max(first, p - ask.window + 1);
                    last = std::min(last, p + ask.window - 1);
                }
                if (ask.causal) last = std::min(last, p);
                Running row;
                row.sum.resize(Dv);
                for (long j = last; j >= first; --j) {
                    if (!allowed(b, h, i, j)) continue;
                    float dot = 0;
                    for (int d = D - 1; d >= 0; --d)
                        dot = std::fma(static_cast<float>(q(b, h, i, d)), static_cast<float>(k(b, kv, j, d)), dot);
                    dot *= factor;
                    if (ask.slopes) dot = std::fma(-(*ask.slopes)(h), static_cast<float>(std::abs(p - j)), dot);
                    row.take(dot, [&](int d) { return static_cast<float>(v(b, kv, j, d)); });
                }
                for (int d = 0; d < Dv; ++d) out(b, h, i, d) = static_cast<Out>(row.result(d));
            }
}

/// Row i of a streaming state, read into a Running and written back: sums first, then total, then top.
Running load(tensor<const float, 2> state, int i) {
    const int Dv = static_cast<int>(state.extent(1)) - 4;
    Running row{state(i, Dv + 1), state(i, Dv), std::vector<float>(Dv)};
    for (int d = 0; d < Dv; ++d) row.sum[d] = state(i, d);
    return row;
}

void store(const Running& row, tensor<float, 2> state, int i) {
    const int Dv = static_cast<int>(state.extent(1)) - 4;
    for (int d = 0; d < Dv; ++d) state(i, d) = row.sum[d];
    for (int c = Dv; c < Dv + 4; ++c) state(i, c) = c == Dv ? row.total : row.top;
}

} // namespace

namespace sdpa {

void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    solve(q, k, v, {mask, causal, scale}, out);
}

void attention_f16(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                   optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    solve(q, k, v, {mask, causal, scale}, out);
}

void attention_bf16(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                    optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    solve(q, k, v, {mask, causal, scale}, out);
}

void attention_f16_stored(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                          optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                          tensor<half, 4> out) {
    solve(q, k, v, {mask, causal, scale}, out);
}

void attention_bf16_stored(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                           optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                           tensor<bfloat16, 4> out) {
    solve(q, k, v, {mask, causal, scale}, out);
}

// delta is attention itself, over values of one channel: dout·v.
void attention_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                        optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                        tensor<const float, 4> dout, tensor<float, 4> dq, tensor<float, 4> dk, tensor<float, 4> dv) {
    const int B = static_cast<int>(q.extent(0)), Hq = static_cast<int>(q.extent(1));
    const int Lq = static_cast<int>(q.extent(2)), Lk = static_cast<int>(k.extent(2));
    const int D = static_cast<int>(q.extent(3)), Dv = static_cast<int>(v.extent(3));
    const int group = Hq / static_cast<int>(k.extent(1));
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    const auto dot = [](auto x, auto y, int b, int h, int i, int g, int j) {
        float sum = 0;
        for (int d = static_cast<int>(x.extent(3)) - 1; d >= 0; --d) sum = std::fma(x(b, h, i, d), y(b, g, j, d), sum);
        return sum;
    };
    const auto allowed = [&](int b, int h, int i, int j) {
        const auto at = [&](int axis, int index) { return mask->extent(axis) == 1 ? 0 : index; };
        return !mask || (*mask)(at(0, b), at(1, h), at(2, i), at(3, j));
    };
    for (int b = B - 1; b >= 0; --b)
        for (int h = Hq - 1; h >= 0; --h) {
            const int kv = h / group;
            if (h % group == group - 1) // the first of its group to come
                for (int j = 0; j < Lk; ++j) {
                    for (int d = 0; d < D; ++d) dk(b, kv, j, d) = 0;
                    for (int d = 0; d < Dv; ++d) dv(b, kv, j, d) = 0;
                }
            for (int i = Lq - 1; i >= 0; --i) {
                const int last = causal ? std::min(Lk - 1, i + Lk - Lq) : Lk - 1;
                Running row;
                row.sum.resize(1);
                for (int j = last; j >= 0; --j)
                    if (allowed(b, h, i, j))
                        row.take(factor * dot(q, k, b, h, i, kv, j), [&](int) { return dot(dout, v, b, h, i, kv, j); });
                for (int d = 0; d < D; ++d) dq(b, h, i, d) = 0;
                for (int j = last; j >= 0; --j) {
                    if (!allowed(b, h, i, j)) continue;
                    const float p = std::exp(factor * dot(q, k, b, h, i, kv, j) - row.top) / row.total;
                    const float ds = factor * p * (dot(dout, v, b, h, i, kv, j) - row.result(0));
                    for (int d = 0; d < D; ++d) {
                        dq(b, h, i, d) = std::fma(ds, k(b, kv, j, d), dq(b, h, i, d));
                        dk(b, kv, j, d) = std::fma(ds, q(b, h, i, d), dk(b, kv, j, d));
                    }
                    for (int d = 0; d < Dv; ++d) dv(b, kv, j, d) = std::fma(p, dout(b, h, i, d), dv(b, kv, j, d));
                }
            }
        }
}

void attention_biased(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                      optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                      tensor<const float, 1> slopes, int window, tensor<float, 4> out) {
    solve(q, k, v, {mask, causal, scale, slopes, window}, out);
}

void begin(tensor<float, 2> state) {
    Running nothing;
    nothing.sum.resize(state.extent(1) - 4);
    for (int i = 0; i < state.extent(0); ++i) store(nothing, state, i);
}

void absorb(tensor<float, 2> state, tensor<const float, 2> q, tensor<const float, 2> k, tensor<const float, 2> v,
            tensor<const bool, 2> mask, float scale) {
    for (int i = 0; i < q.extent(0); ++i) {
        Running row = load(state, i);
        for (int j = static_cast<int>(k.extent(0)) - 1; j >= 0; --j) {
            if (!mask(i, j)) continue;
            float dot = 0;
            for (int d = static_cast<int>(q.extent(1)) - 1; d >= 0; --d) dot = std::fma(q(i, d), k(j, d), dot);
            row.take(scale * dot, [&](int d) { return v(j, d); });
        }
        store(row, state, i);
    }
}

void merge(tensor<float, 2> into, tensor<const float, 2> from) {
    for (int i = 0; i < into.extent(0); ++i) {
        Running mine = load(into, i);
        const Running theirs = load(from, i);
        if (theirs.total == 0) continue;
        const float above = std::max(mine.top, theirs.top);
        const float keep = std::exp(mine.top - above), take = std::exp(theirs.top - above);
        mine.top = above;
        mine.total = std::fma(take, theirs.total, keep * mine.total);
        for (int d = 0; d < static_cast<int>(mine.sum.size()); ++d)
            mine.sum[d] = std::fma(take, theirs.sum[d], keep * mine.sum[d]);
        store(mine, into, i);
    }
}

void finish(tensor<const float, 2> state, tensor<float, 2> out) {
    for (int i = 0; i < out.extent(0); ++i)
        for (int d = 0; d < out.extent(1); ++d) out(i, d) = load(state, i).result(d);
}

} // namespace sdpa
