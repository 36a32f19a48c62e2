// Right: every view is copied to a dense float32 array first, broadcast and all; the rest is plain arrays.
#include "contract.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace {

using assay::optional;
using assay::tensor;
using std::size_t;

/// The elements of a view in row-major order, converted to float.
template <class T> std::vector<float> dense(tensor<const T, 4> x) {
    std::vector<float> result;
    for (int a = 0; a < x.extent(0); ++a)
        for (int b = 0; b < x.extent(1); ++b)
            for (int c = 0; c < x.extent(2); ++c)
                for (int d = 0; d < x.extent(3); ++d) result.push_back(x(a, b, c, d));
    return result;
}

template <class T> std::vector<float> dense(tensor<const T, 2> x) {
    std::vector<float> result;
    for (int a = 0; a < x.extent(0); ++a)
        for (int b = 0; b < x.extent(1); ++b) result.push_back(x(a, b));
    return result;
}

/// Attention of one query: a bias a key (-inf: not allowed). Writes the weighted sum over `out`, gives max and total.
struct Sums {
    float max = -std::numeric_limits<float>::infinity(), total = 0;
};
Sums one_query(const float* q, const float* k, const float* v, const float* bias, size_t Lk, size_t D, size_t Dv,
               float scale, float* out) {
    Sums sums;
    std::vector<float> s(Lk);
    for (size_t j = 0; j < Lk; ++j) {
        s[j] = bias[j];
        if (std::isinf(s[j])) continue;
        float dot = 0;
        for (size_t d = 0; d < D; ++d) dot += q[d] * k[j * D + d];
        s[j] += dot * scale;
        if (s[j] > sums.max) sums.max = s[j];
    }
    for (size_t d = 0; d < Dv; ++d) out[d] = 0;
    for (size_t j = 0; j < Lk; ++j) {
        if (std::isinf(s[j])) continue;
        const float weight = std::exp(s[j] - sums.max);
        sums.total += weight;
        for (size_t d = 0; d < Dv; ++d) out[d] += weight * v[j * Dv + d];
    }
    return sums;
}

template <class In, class Out> void attend(tensor<const In, 4> q4, tensor<const In, 4> k4, tensor<const In, 4> v4,
                                           optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                                           optional<tensor<const float, 1>> slopes, int window, tensor<Out, 4> out) {
    const std::vector<float> q = dense(q4), k = dense(k4), v = dense(v4);
    const size_t heads = q4.extent(1), group = heads / k4.extent(1), D = q4.extent(3), Dv = v4.extent(3);
    const long Lq = q4.extent(2), Lk = k4.extent(2);
    std::vector<float> bias(Lk), row(Dv);
    for (int b = 0; b < q4.extent(0); ++b)
        for (size_t h = 0; h < heads; ++h)
            for (long i = 0; i < Lq; ++i) {
                for (long j = 0; j < Lk; ++j) {
                    const long ahead = j - (i + Lk - Lq), distance = ahead < 0 ? -ahead : ahead;
                    bool may = !causal || ahead <= 0;
                    if (window != 0) may = may && distance < window;
                    if (mask)
                        may = may && (*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2),
                                             j % mask->extent(3));
                    bias[j] = slopes ? -(*slopes)(h) * static_cast<float>(distance) : 0;
                    if (!may) bias[j] = -std::numeric_limits<float>::infinity();
                }
                const size_t kv = b * k4.extent(1) + h / group;
                const Sums sums = one_query(&q[((b * heads + h) * Lq + i) * D], k.data() + kv * Lk * D,
                                            v.data() + kv * Lk * Dv, bias.data(), Lk, D, Dv,
                                            scale.value_or(1.0f / std::sqrt(static_cast<float>(D))), row.data());
                for (size_t d = 0; d < Dv; ++d) out(b, h, i, d) = Out(sums.total > 0 ? row[d] / sums.total : 0.0f);
            }
}

void scatter(const std::vector<float>& from, tensor<float, 4> to) {
    size_t at = 0;
    for (int a = 0; a < to.extent(0); ++a)
        for (int b = 0; b < to.extent(1); ++b)
            for (int c = 0; c < to.extent(2); ++c)
                for (int d = 0; d < to.extent(3); ++d) to(a, b, c, d) = from[at++];
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
    const std::vector<float> q_ = dense(q), k_ = dense(k), v_ = dense(v), g_ = dense(dout);
    std::vector<float> to_q(q_.size()), to_k(k_.size()), to_v(v_.size());
    const size_t heads = q.extent(1), group = heads / k.extent(1), D = q.extent(3), Dv = v.extent(3);
    const long Lq = q.extent(2), Lk = k.extent(2);
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    std::vector<float> bias(Lk), row(Dv);
    for (int b = 0; b < q.extent(0); ++b)
        for (size_t h = 0; h < heads; ++h)
            for (long i = 0; i < Lq; ++i) {
                for (long j = 0; j < Lk; ++j) {
                    bool may = !causal || j <= i + Lk - Lq;
                    if (mask)
                        may = may && (*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2),
                                             j % mask->extent(3));
                    bias[j] = may ? 0 : -std::numeric_limits<float>::infinity();
                }
                const size_t at = (b * heads + h) * Lq + i, kv = b * k.extent(1) + h / group;
                const float *query = q_.data() + at * D, *grad = g_.data() + at * Dv;
                const Sums sums = one_query(query, k_.data() + kv * Lk * D, v_.data() + kv * Lk * Dv, bias.data(), Lk,
                                            D, Dv, factor, row.data());
                if (sums.total == 0) continue;
                float delta = 0; // dout · out
                for (size_t d = 0; d < Dv; ++d) delta += grad[d] * (row[d] / sums.total);
                for (long j = 0; j < Lk; ++j) {
                    if (bias[j] != 0) continue;
                    const size_t key = (kv * Lk + j) * D, value = (kv * Lk + j) * Dv;
                    float dot = 0, slope = -delta;
                    for (size_t d = 0; d < D; ++d) dot += query[d] * k_[key + d];
                    for (size_t d = 0; d < Dv; ++d) slope += grad[d] * v_[value + d];
                    const float weight = std::exp(dot * factor - sums.max) / sums.total;
                    slope *= weight * factor;
                    for (size_t d = 0; d < D; ++d) {
                        to_q[at * D + d] += slope * k_[key + d];
                        to_k[key + d] += slope * query[d];
                    }
                    for (size_t d = 0; d < Dv; ++d) to_v[value + d] += weight * grad[d];
                }
            }
    scatter(to_q, dq);
    scatter(to_k, dk);
    scatter(to_v, dv);
}

void attention_biased(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                      optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                      tensor<const float, 1> slopes, int window, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, slopes, window, out);
}

// A row of the state: total, maximum, sums from column 2 on. An untouched row has total 0 and maximum -inf.
void begin(tensor<float, 2> state) {
    for (int i = 0; i < state.extent(0); ++i)
        for (int c = 0; c < state.extent(1); ++c) state(i, c) = c == 1 ? Sums{}.max : 0;
}

namespace {
void join(tensor<float, 2> state, int i, Sums other, const float* sum, int Dv) {
    const float max = other.max > state(i, 1) ? other.max : state(i, 1);
    const float mine = std::exp(state(i, 1) - max), theirs = std::exp(other.max - max);
    state(i, 0) = mine * state(i, 0) + theirs * other.total;
    state(i, 1) = max;
    for (int d = 0; d < Dv; ++d) state(i, d + 2) = mine * state(i, d + 2) + theirs * sum[d];
}
} // namespace

void absorb(tensor<float, 2> state, tensor<const float, 2> q2, tensor<const float, 2> k2, tensor<const float, 2> v2,
            tensor<const bool, 2> mask, float scale) {
    const std::vector<float> q = dense(q2), k = dense(k2), v = dense(v2), seen = dense(mask);
    const size_t n = k2.extent(0), D = q2.extent(1), Dv = v2.extent(1);
    std::vector<float> row(Dv), bias(n);
    for (int i = 0; i < q2.extent(0); ++i) {
        for (size_t j = 0; j < n; ++j) bias[j] = seen[i * n + j] > 0 ? 0 : Sums{}.max;
        const Sums block = one_query(&q[i * D], k.data(), v.data(), bias.data(), n, D, Dv, scale, row.data());
        if (block.total > 0) join(state, i, block, row.data(), static_cast<int>(Dv));
    }
}

void merge(tensor<float, 2> into, tensor<const float, 2> from) {
    const std::vector<float> other = dense(from);
    const int width = static_cast<int>(from.extent(1));
    for (int i = 0; i < into.extent(0); ++i) {
        const float* row = &other[i * width];
        if (row[0] > 0) join(into, i, {row[1], row[0]}, row + 2, width - 4);
    }
}

void finish(tensor<const float, 2> state, tensor<float, 2> out) {
    for (int i = 0; i < out.extent(0); ++i)
        for (int d = 0; d < out.extent(1); ++d) out(i, d) = state(i, 0) > 0 ? state(i, d + 2) / state(i, 0) : 0;
}

} // namespace sdpa
