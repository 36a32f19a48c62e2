// Right: log2(e) is folded into the scale (and the slopes), so that every exponential is a power of two.
#include "contract.hpp"

#include <cmath>
#include <cstdlib>
#include <vector>

namespace {

using assay::optional;
using assay::tensor;

constexpr float log2e = 1.44269504f;

template <class In, class Out> void run(tensor<const In, 4> q, tensor<const In, 4> k, tensor<const In, 4> v,
                                        optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                                        optional<tensor<const float, 1>> slopes, int window, tensor<Out, 4> out) {
    const int Lq = static_cast<int>(q.extent(2)), Lk = static_cast<int>(k.extent(2));
    const int heads = static_cast<int>(q.extent(1)), group = heads / static_cast<int>(k.extent(1));
    const float factor = log2e * (scale ? *scale : 1 / std::sqrt(static_cast<float>(q.extent(3))));
    std::vector<float> power(Lk);
    std::vector<char> seen(Lk);
    for (int b = 0; b < out.extent(0); ++b)
        for (int h = 0; h < heads; ++h)
            for (int i = 0; i < Lq; ++i) {
                const float slope = slopes ? log2e * (*slopes)(h) : 0;
                const int place = i + Lk - Lq;
                float top = -INFINITY;
                for (int j = 0; j < Lk; ++j) {
                    const int distance = std::abs(place - j);
                    seen[j] = !(causal && j > place) && (window == 0 || distance < window);
                    if (mask && seen[j])
                        seen[j] = (*mask)(mask->extent(0) > 1 ? b : 0, mask->extent(1) > 1 ? h : 0,
                                          mask->extent(2) > 1 ? i : 0, mask->extent(3) > 1 ? j : 0);
                    if (!seen[j]) continue;
                    float dot = 0;
                    for (int d = 0; d < q.extent(3); ++d) dot += q(b, h, i, d) * k(b, h / group, j, d);
                    power[j] = factor * dot - slope * static_cast<float>(distance);
                    top = std::fmax(top, power[j]);
                }
                float total = 0;
                for (int j = 0; j < Lk; ++j)
                    if (seen[j]) total += power[j] = std::exp2(power[j] - top);
                for (int d = 0; d < v.extent(3); ++d) {
                    float sum = 0;
                    for (int j = 0; j < Lk; ++j)
                        if (seen[j]) sum += power[j] / total * v(b, h / group, j, d);
                    out(b, h, i, d) = static_cast<Out>(sum);
                }
            }
}

} // namespace

namespace sdpa {

void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    run(q, k, v, mask, causal, scale, {}, 0, out);
}

void attention_f16(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                   optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    run(q, k, v, mask, causal, scale, {}, 0, out);
}

void attention_bf16(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                    optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    run(q, k, v, mask, causal, scale, {}, 0, out);
}

void attention_f16_stored(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                          optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                          tensor<half, 4> out) {
    run(q, k, v, mask, causal, scale, {}, 0, out);
}

void attention_bf16_stored(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                           optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                           tensor<bfloat16, 4> out) {
    run(q, k, v, mask, causal, scale, {}, 0, out);
}

// The exponent carries log2(e), the gradient does not: its factor is the scale alone.
void attention_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                        optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                        tensor<const float, 4> dout, tensor<float, 4> dq, tensor<float, 4> dk, tensor<float, 4> dv) {
    const int Lq = static_cast<int>(q.extent(2)), Lk = static_cast<int>(k.extent(2));
    const int heads = static_cast<int>(q.extent(1)), group = heads / static_cast<int>(k.extent(1));
    const float factor = scale ? *scale : 1 / std::sqrt(static_cast<float>(q.extent(3)));
    std::vector<float> power(Lk), slope(Lk);
    std::vector<char> seen(Lk);
    for (int b = 0; b < q.extent(0); ++b)
        for (int h = 0; h < heads; ++h)
            for (int i = 0; i < Lq; ++i) {
                const bool first = h % group == 0 && i == 0; // what it touches in dk and dv is still rubbish
                float top = -INFINITY;
                for (int j = 0; j < Lk; ++j) {
                    seen[j] = !(causal && j > i + Lk - Lq);
                    if (mask && seen[j])
                        seen[j] = (*mask)(mask->extent(0) > 1 ? b : 0, mask->extent(1) > 1 ? h : 0,
                                          mask->extent(2) > 1 ? i : 0, mask->extent(3) > 1 ? j : 0);
                    power[j] = 0;
                    if (!seen[j]) continue;
                    for (int d = 0; d < q.extent(3); ++d) power[j] += q(b, h, i, d) * k(b, h / group, j, d);
                    power[j] *= log2e * factor;
                    top = std::fmax(top, power[j]);
                }
                float total = 0, delta = 0;
                for (int j = 0; j < Lk; ++j)
                    if (seen[j]) total += power[j] = std::exp2(power[j] - top);
                for (int j = 0; j < Lk; ++j) {
                    slope[j] = 0;
                    if (!seen[j]) continue;
                    for (int d = 0; d < v.extent(3); ++d) slope[j] += dout(b, h, i, d) * v(b, h / group, j, d);
                    power[j] /= total;
                    delta += power[j] * slope[j];
                }
                for (int d = 0; d < q.extent(3); ++d) {
                    float sum = 0;
                    for (int j = 0; j < Lk; ++j) {
                        float& to = dk(b, h / group, j, d);
                        if (first) to = 0;
                        if (!seen[j]) continue;
                        const float ds = power[j] * (slope[j] - delta);
                        sum += ds * k(b, h / group, j, d);
                        to += factor * ds * q(b, h, i, d);
                    }
                    dq(b, h, i, d) = factor * sum;
                }
                for (int d = 0; d < v.extent(3); ++d)
                    for (int j = 0; j < Lk; ++j) {
                        float& to = dv(b, h / group, j, d);
                        if (first) to = 0;
                        if (seen[j]) to += power[j] * dout(b, h, i, d);
                    }
            }
}

void attention_biased(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                      optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                      tensor<const float, 1> slopes, int window, tensor<float, 4> out) {
    run(q, k, v, mask, causal, scale, slopes, window, out);
}

// State: column 0 the sum of powers, column 1 the largest exponent (to base 2), then the weighted sum. A row that has
// attended nothing is known by its sum of 0.
void begin(tensor<float, 2> state) {
    for (int i = 0; i < state.extent(0); ++i)
        for (int c = 0; c < state.extent(1); ++c) state(i, c) = 0;
}

namespace {
/// Brings row `i` to the maximum `top`.
void lift(tensor<float, 2> state, int i, float top) {
    const float keep = std::exp2(state(i, 1) - top);
    for (int c = 0; c < state.extent(1); ++c)
        if (c != 1) state(i, c) *= keep;
    state(i, 1) = top;
}
} // namespace

void absorb(tensor<float, 2> state, tensor<const float, 2> q, tensor<const float, 2> k, tensor<const float, 2> v,
            tensor<const bool, 2> mask, float scale) {
    const float factor = scale * log2e;
    for (int j = 0; j < k.extent(0); ++j)
        for (int i = 0; i < q.extent(0); ++i) {
            if (!mask(i, j)) continue;
            float power = 0;
            for (int d = 0; d < q.extent(1); ++d) power += q(i, d) * k(j, d);
            power *= factor;
            if (state(i, 0) == 0) state(i, 1) = power;
            if (power > state(i, 1)) lift(state, i, power);
            const float weight = std::exp2(power - state(i, 1));
            state(i, 0) += weight;
            for (int d = 0; d < v.extent(1); ++d) state(i, d + 2) += weight * v(j, d);
        }
}

void merge(tensor<float, 2> into, tensor<const float, 2> from) {
    for (int i = 0; i < into.extent(0); ++i) {
        if (from(i, 0) == 0) continue;
        if (into(i, 0) == 0) into(i, 1) = from(i, 1);
        if (from(i, 1) > into(i, 1)) lift(into, i, from(i, 1));
        const float take = std::exp2(from(i, 1) - into(i, 1));
        for (int c = 0; c < into.extent(1); ++c)
            if (c != 1) into(i, c) += take * from(i, c);
    }
}

void finish(tensor<const float, 2> state, tensor<float, 2> out) {
    for (int i = 0; i < out.extent(0); ++i)
        for (int d = 0; d < out.extent(1); ++d) {
            out(i, d) = 0;
            if (state(i, 0) > 0) out(i, d) = state(i, d + 2) / state(i, 0);
        }
}

} // namespace sdpa
