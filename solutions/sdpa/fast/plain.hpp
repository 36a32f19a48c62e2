// The routes that are right and not fast: a row with something unusual behind its mask, ALiBi and windows, streaming.
#ifndef SDPA_FAST_PLAIN_HPP
#define SDPA_FAST_PLAIN_HPP

#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <vector>

namespace fast {

using assay::optional;
using assay::tensor;

/// Which keys a query may attend, and what is taken off their logits.
struct Pattern {
    optional<tensor<const bool, 4>> mask;
    bool causal;
    optional<tensor<const float, 1>> slopes = {}; // ALiBi, (Hq)
    std::ptrdiff_t window = 0;                    // 0: none

    /// `behind`: how many places key j lies behind the query's own position among the keys; < 0 is the future.
    bool allows(std::ptrdiff_t b, std::ptrdiff_t h, std::ptrdiff_t i, std::ptrdiff_t j, std::ptrdiff_t behind) const {
        if (causal && behind < 0) return false;
        if (window > 0 && std::abs(behind) >= window) return false;
        return !mask || (*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2), j % mask->extent(3));
    }
};

/// One row in two passes over the keys it may attend. No other key is read.
template <class In, class Out> void plain_row(tensor<const In, 4> q, tensor<const In, 4> k, tensor<const In, 4> v,
                                              const Pattern& pattern, float scale, tensor<Out, 4> out, std::ptrdiff_t b,
                                              std::ptrdiff_t h, std::ptrdiff_t i) {
    const std::ptrdiff_t Lq = q.extent(2), Lk = k.extent(2), D = q.extent(3), Dv = v.extent(3);
    const std::ptrdiff_t kv = h / (q.extent(1) / k.extent(1));
    std::vector<std::ptrdiff_t> keys;
    std::vector<float> logits, sum(static_cast<std::size_t>(Dv));
    float max = -std::numeric_limits<float>::infinity(), total = 0;
    for (std::ptrdiff_t j = 0; j < Lk; ++j) {
        const std::ptrdiff_t behind = i + Lk - Lq - j;
        if (!pattern.allows(b, h, i, j, behind)) continue;
        float dot = 0;
        for (std::ptrdiff_t d = 0; d < D; ++d) dot += q(b, h, i, d) * k(b, kv, j, d);
        const float bias = pattern.slopes ? (*pattern.slopes)(h) * static_cast<float>(std::abs(behind)) : 0.0f;
        keys.push_back(j);
        logits.push_back(scale * dot - bias);
        max = std::max(max, logits.back());
    }
    for (std::size_t n = 0; n < keys.size(); ++n) {
        const float weight = std::exp(logits[n] - max);
        total += weight;
        for (std::ptrdiff_t d = 0; d < Dv; ++d) sum[static_cast<std::size_t>(d)] += weight * v(b, kv, keys[n], d);
    }
    for (std::ptrdiff_t d = 0; d < Dv; ++d)
        out(b, h, i, d) = Out(keys.empty() ? 0.0f : sum[static_cast<std::size_t>(d)] / total);
}

/// What one row gives to its dq, and adds to dk and dv, which hold the sums so far.
inline void plain_row_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                               const Pattern& pattern, float scale, tensor<const float, 4> dout, tensor<float, 4> dq,
                               tensor<float, 4> dk, tensor<float, 4> dv, std::ptrdiff_t b, std::ptrdiff_t h,
                               std::ptrdiff_t i) {
    const std::ptrdiff_t Lq = q.extent(2), Lk = k.extent(2), D = q.extent(3), Dv = v.extent(3);
    const std::ptrdiff_t kv = h / (q.extent(1) / k.extent(1));
    std::vector<std::ptrdiff_t> keys;
    std::vector<float> weights, slopes; // exp(logit - largest), dout . v
    float max = -std::numeric_limits<float>::infinity(), total = 0, delta = 0;
    for (std::ptrdiff_t j = 0; j < Lk; ++j) {
        if (!pattern.allows(b, h, i, j, i + Lk - Lq - j)) continue;
        float logit = 0, slope = 0;
        for (std::ptrdiff_t d = 0; d < D; ++d) logit += q(b, h, i, d) * k(b, kv, j, d);
        for (std::ptrdiff_t d = 0; d < Dv; ++d) slope += dout(b, h, i, d) * v(b, kv, j, d);
        keys.push_back(j);
        weights.push_back(scale * logit);
        slopes.push_back(slope);
        max = std::max(max, weights.back());
    }
    for (std::size_t n = 0; n < keys.size(); ++n) {
        weights[n] = std::exp(weights[n] - max);
        total += weights[n];
        delta += weights[n] * slopes[n];
    }
    for (std::ptrdiff_t d = 0; d < D; ++d) dq(b, h, i, d) = 0;
    for (std::size_t n = 0; n < keys.size(); ++n) {
        const float p = weights[n] / total, slope = scale * p * (slopes[n] - delta / total);
        for (std::ptrdiff_t d = 0; d < D; ++d) dq(b, h, i, d) += slope * k(b, kv, keys[n], d);
        for (std::ptrdiff_t d = 0; d < D; ++d) dk(b, kv, keys[n], d) += slope * q(b, h, i, d);
        for (std::ptrdiff_t d = 0; d < Dv; ++d) dv(b, kv, keys[n], d) += p * dout(b, h, i, d);
    }
}

// A row of the streaming state: the largest logit m so far, the sum l of exp(logit - m), and the sum of
// exp(logit - m) · v in columns 2 on. A row that attended nothing has l = 0.

inline void begin(tensor<float, 2> state) {
    for (std::ptrdiff_t i = 0; i < state.extent(0); ++i)
        for (std::ptrdiff_t c = 0; c < state.extent(1); ++c)
            state(i, c) = c == 0 ? -std::numeric_limits<float>::infinity() : 0.0f;
}

inline void absorb(tensor<float, 2> state, tensor<const float, 2> q, tensor<const float, 2> k, tensor<const float, 2> v,
                   tensor<const bool, 2> mask, float scale) {
    for (std::ptrdiff_t i = 0; i < q.extent(0); ++i)
        for (std::ptrdiff_t j = 0; j < k.extent(0); ++j) {
            if (!mask(i, j)) continue;
            float dot = 0;
            for (std::ptrdiff_t d = 0; d < q.extent(1); ++d) dot += q(i, d) * k(j, d);
            const float logit = scale * dot, max = std::max(state(i, 0), logit);
            const float keep = std::exp(state(i, 0) - max), weight = std::exp(logit - max);
            state(i, 0) = max;
            state(i, 1) = state(i, 1) * keep + weight;
            for (std::ptrdiff_t d = 0; d < v.extent(1); ++d)
                state(i, 2 + d) = state(i, 2 + d) * keep + weight * v(j, d);
        }
}

inline void merge(tensor<float, 2> into, tensor<const float, 2> from) {
    for (std::ptrdiff_t i = 0; i < into.extent(0); ++i) {
        if (from(i, 1) == 0) continue;
        const float max = std::max(into(i, 0), from(i, 0));
        const float keep = std::exp(into(i, 0) - max), take = std::exp(from(i, 0) - max);
        into(i, 0) = max;
        for (std::ptrdiff_t c = 1; c < into.extent(1); ++c) into(i, c) = into(i, c) * keep + from(i, c) * take;
    }
}

inline void finish(tensor<const float, 2> state, tensor<float, 2> out) {
    for (std::ptrdiff_t i = 0; i < out.extent(0); ++i)
        for (std::ptrdiff_t d = 0; d < out.extent(1); ++d)
            out(i, d) = state(i, 1) > 0 ? state(i, 2 + d) / state(i, 1) : 0.0f;
}

} // namespace fast

#endif
