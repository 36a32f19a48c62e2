// Right: std::span, std::vector and the algorithms of <numeric> in place of loops over channels.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <span>
#include <vector>

namespace {

using assay::optional;
using assay::tensor;
using Index = std::ptrdiff_t;

template <class T> std::vector<float> channels(tensor<const T, 4> x, Index b, Index h, Index row) {
    std::vector<float> result(x.extent(3));
    std::generate(result.begin(), result.end(), [&, d = Index{0}]() mutable -> float { return x(b, h, row, d++); });
    return result;
}

template <class T> std::vector<float> channels(tensor<const T, 2> x, Index row) {
    std::vector<float> result(x.extent(1));
    std::generate(result.begin(), result.end(), [&, d = Index{0}]() mutable -> float { return x(row, d++); });
    return result;
}

float dot(std::span<const float> a, std::span<const float> b) {
    return std::transform_reduce(a.begin(), a.end(), b.begin(), 0.0f);
}

/// A key that takes part: its logit and its value.
struct Entry {
    float logit;
    std::vector<float> value; // (Dv)
};

/// What a set of entries comes to: weights are relative to `max`.
struct Summary {
    float max, total;
    std::vector<float> sum;
};

Summary summarise(std::span<const Entry> entries) {
    const auto lower = [](const Entry& a, const Entry& b) { return a.logit < b.logit; };
    const float max = std::max_element(entries.begin(), entries.end(), lower)->logit;
    std::vector<float> weights(entries.size()), sum(entries.front().value.size());
    std::transform(entries.begin(), entries.end(), weights.begin(),
                   [max](const Entry& entry) { return std::exp(entry.logit - max); });
    for (std::size_t n = 0; n < entries.size(); ++n)
        std::transform(sum.begin(), sum.end(), entries[n].value.begin(), sum.begin(),
                       [weight = weights[n]](float s, float x) { return s + weight * x; });
    return {max, std::reduce(weights.begin(), weights.end()), sum};
}

/// Of two summaries of different keys, that of all of them.
Summary join(const Summary& a, const Summary& b) {
    const float max = std::max(a.max, b.max), of_a = std::exp(a.max - max), of_b = std::exp(b.max - max);
    Summary both{max, of_a * a.total + of_b * b.total, {}};
    std::transform(a.sum.begin(), a.sum.end(), b.sum.begin(), std::back_inserter(both.sum),
                   [=](float x, float y) { return of_a * x + of_b * y; });
    return both;
}

template <class In, class Out, class Biased>
void attend(tensor<const In, 4> q, tensor<const In, 4> k, tensor<const In, 4> v, optional<tensor<const bool, 4>> mask,
            bool causal, optional<float> scale, Index window, tensor<Out, 4> out, Biased biased) {
    const Index ahead = k.extent(2) - q.extent(2), group = q.extent(1) / k.extent(1);
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(q.extent(3))));
    for (Index b = 0; b < q.extent(0); ++b)
        for (Index h = 0; h < q.extent(1); ++h)
            for (Index i = 0; i < q.extent(2); ++i) {
                const std::vector<float> query = channels(q, b, h, i);
                std::vector<Entry> entries;
                for (Index j = 0; j < k.extent(2); ++j) {
                    const Index distance = std::abs(i + ahead - j);
                    const bool seen = !mask || (*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2),
                                                       j % mask->extent(3));
                    if (!seen || (causal && j > i + ahead) || (window > 0 && distance >= window)) continue;
                    entries.push_back({biased(factor * dot(query, channels(k, b, h / group, j)), h, distance),
                                       channels(v, b, h / group, j)});
                }
                std::vector<float> row(v.extent(3));
                if (!entries.empty()) {
                    const Summary s = summarise(entries);
                    std::transform(s.sum.begin(), s.sum.end(), row.begin(), [&](float x) { return x / s.total; });
                }
                for (Index d = 0; d < v.extent(3); ++d) out(b, h, i, d) = Out(row[d]);
            }
}

constexpr auto unbiased = [](float logit, Index, Index) { return logit; };

/// A row of the streaming state as a summary, and back: maximum, total, sums, two floats to spare.
Summary row_of(tensor<const float, 2> state, Index i) {
    const std::vector<float> row = channels(state, i);
    return {row[0], row[1], {row.begin() + 2, row.end() - 2}};
}

void put(tensor<float, 2> state, Index i, const Summary& row) {
    state(i, 0) = row.max;
    state(i, 1) = row.total;
    for (std::size_t d = 0; d < row.sum.size(); ++d) state(i, 2 + d) = row.sum[d];
}

} // namespace

namespace sdpa {

void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, 0, out, unbiased);
}

void attention_f16(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                   optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, 0, out, unbiased);
}

void attention_bf16(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                    optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, 0, out, unbiased);
}

void attention_f16_stored(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                          optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                          tensor<half, 4> out) {
    attend(q, k, v, mask, causal, scale, 0, out, unbiased);
}

void attention_bf16_stored(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                           optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                           tensor<bfloat16, 4> out) {
    attend(q, k, v, mask, causal, scale, 0, out, unbiased);
}

void attention_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                        optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                        tensor<const float, 4> dout, tensor<float, 4> dq, tensor<float, 4> dk, tensor<float, 4> dv) {
    const Index ahead = k.extent(2) - q.extent(2), group = q.extent(1) / k.extent(1);
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(q.extent(3))));
    const auto add = [](std::vector<float>& to, float by, std::span<const float> x) {
        std::transform(to.begin(), to.end(), x.begin(), to.begin(), [by](float a, float b) { return a + by * b; });
    };
    const auto store = [](const std::vector<float>& from, tensor<float, 4> to, Index b, Index h, Index row) {
        for (std::size_t d = 0; d < from.size(); ++d) to(b, h, row, d) = from[d];
    };
    using Rows = std::vector<std::vector<float>>;
    for (Index b = 0; b < q.extent(0); ++b)
        for (Index g = 0; g < k.extent(1); ++g) {
            Rows key_sums(k.extent(2), std::vector<float>(k.extent(3)));
            Rows value_sums(k.extent(2), std::vector<float>(v.extent(3)));
            for (Index h = g * group; h < (g + 1) * group; ++h)
                for (Index i = 0; i < q.extent(2); ++i) {
                    const std::vector<float> query = channels(q, b, h, i), grad = channels(dout, b, h, i);
                    std::vector<Index> seen;
                    std::vector<Entry> entries; // the value of a key is dout·v, a single channel
                    for (Index j = 0; j < k.extent(2); ++j) {
                        if (causal && j > i + ahead) continue;
                        if (mask && !(*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2),
                                             j % mask->extent(3)))
                            continue;
                        seen.push_back(j);
                        entries.push_back(
                            {factor * dot(query, channels(k, b, g, j)), {dot(grad, channels(v, b, g, j))}});
                    }
                    std::vector<float> query_sum(query.size());
                    if (!seen.empty()) {
                        const Summary row = summarise(entries);
                        for (std::size_t n = 0; n < seen.size(); ++n) {
                            const float weight = std::exp(entries[n].logit - row.max) / row.total;
                            const float slope = factor * weight * (entries[n].value[0] - row.sum[0] / row.total);
                            add(query_sum, slope, channels(k, b, g, seen[n]));
                            add(key_sums[seen[n]], slope, query);
                            add(value_sums[seen[n]], weight, grad);
                        }
                    }
                    store(query_sum, dq, b, h, i);
                }
            for (Index j = 0; j < k.extent(2); ++j) {
                store(key_sums[j], dk, b, g, j);
                store(value_sums[j], dv, b, g, j);
            }
        }
}

void attention_biased(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                      optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                      tensor<const float, 1> slopes, int window, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, window, out,
           [slopes](float logit, Index h, Index distance) { return logit - slopes(h) * static_cast<float>(distance); });
}

void begin(tensor<float, 2> state) {
    const Summary nothing{-INFINITY, 0, std::vector<float>(state.extent(1) - 2)};
    for (Index i = 0; i < state.extent(0); ++i) put(state, i, nothing);
}

void absorb(tensor<float, 2> state, tensor<const float, 2> q, tensor<const float, 2> k, tensor<const float, 2> v,
            tensor<const bool, 2> mask, float scale) {
    for (Index i = 0; i < q.extent(0); ++i) {
        std::vector<Entry> entries;
        for (Index j = 0; j < k.extent(0); ++j)
            if (mask(i, j)) entries.push_back({scale * dot(channels(q, i), channels(k, j)), channels(v, j)});
        if (!entries.empty()) put(state, i, join(row_of(state, i), summarise(entries)));
    }
}

void merge(tensor<float, 2> into, tensor<const float, 2> from) {
    for (Index i = 0; i < into.extent(0); ++i)
        if (row_of(from, i).total > 0) put(into, i, join(row_of(into, i), row_of(from, i)));
}

void finish(tensor<const float, 2> state, tensor<float, 2> out) {
    for (Index i = 0; i < out.extent(0); ++i) {
        const Summary row = row_of(state, i);
        for (Index d = 0; d < out.extent(1); ++d) out(i, d) = row.total > 0 ? row.sum[d] / row.total : 0.0f;
    }
}

} // namespace sdpa
