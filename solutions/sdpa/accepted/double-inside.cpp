// Right: every logit, weight and sum in double, rounded once when it is stored.
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

constexpr double nothing = -std::numeric_limits<double>::infinity();

struct Rules {
    optional<tensor<const bool, 4>> mask;
    bool causal;
    int window = 0;
    optional<tensor<const float, 1>> slopes = {};
};

template <class In, class Out> void attend(tensor<const In, 4> q, tensor<const In, 4> k, tensor<const In, 4> v,
                                           Rules rules, optional<float> scale, tensor<Out, 4> out) {
    const long Lq = q.extent(2), Lk = k.extent(2);
    const double root = std::sqrt(static_cast<double>(q.extent(3)));
    std::vector<double> weight(Lk);
    for (long b = 0; b < q.extent(0); ++b)
        for (long h = 0; h < q.extent(1); ++h)
            for (long i = 0; i < Lq; ++i) {
                const long kv = h / (q.extent(1) / k.extent(1)), diagonal = i + Lk - Lq;
                const long last = rules.causal ? diagonal + 1 : Lk;
                double max = nothing, total = 0;
                for (long j = 0; j < last; ++j) {
                    const long distance = std::abs(diagonal - j);
                    weight[j] = nothing;
                    if (rules.window > 0 && distance >= rules.window) continue;
                    if (const auto& m = rules.mask;
                        m && !(*m)(b % m->extent(0), h % m->extent(1), i % m->extent(2), j % m->extent(3)))
                        continue;
                    double dot = 0;
                    for (long d = 0; d < q.extent(3); ++d)
                        dot += static_cast<double>(q(b, h, i, d)) * static_cast<double>(k(b, kv, j, d));
                    weight[j] = scale ? dot * static_cast<double>(*scale) : dot / root;
                    if (rules.slopes)
                        weight[j] -= static_cast<double>((*rules.slopes)(h)) * static_cast<double>(distance);
                    max = std::max(max, weight[j]);
                }
                std::vector<double> sum(v.extent(3));
                for (long j = 0; j < last; ++j) {
                    if (weight[j] == nothing) continue;
                    const double w = std::exp(weight[j] - max);
                    total += w;
                    for (long d = 0; d < v.extent(3); ++d) sum[d] += w * static_cast<double>(v(b, kv, j, d));
                }
                for (long d = 0; d < v.extent(3); ++d)
                    out(b, h, i, d) = Out(static_cast<float>(total > 0 ? sum[d] / total : 0));
            }
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

void attention_backward(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                        optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                        tensor<const float, 4> dout, tensor<float, 4> dq, tensor<float, 4> dk, tensor<float, 4> dv) {
    const long Lq = q.extent(2), Lk = k.extent(2), D = q.extent(3), Dv = v.extent(3);
    const long group = q.extent(1) / k.extent(1);
    const double factor = scale ? static_cast<double>(*scale) : 1 / std::sqrt(static_cast<double>(D));
    const auto dot = [](auto x, auto y, long b, long h, long i, long g, long j) {
        double sum = 0;
        for (long d = 0; d < x.extent(3); ++d)
            sum += static_cast<double>(x(b, h, i, d)) * static_cast<double>(y(b, g, j, d));
        return sum;
    };
    for (long b = 0; b < q.extent(0); ++b)
        for (long g = 0; g < k.extent(1); ++g) {
            std::vector<double> of_keys(Lk * D), of_values(Lk * Dv), weight(Lk);
            for (long h = g * group; h < (g + 1) * group; ++h)
                for (long i = 0; i < Lq; ++i) {
                    double max = nothing, total = 0, delta = 0;
                    for (long j = 0; j < Lk; ++j) {
                        weight[j] = nothing;
                        if (causal && j > i + Lk - Lq) continue;
                        if (mask && !(*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2),
                                             j % mask->extent(3)))
                            continue;
                        weight[j] = factor * dot(q, k, b, h, i, g, j);
                        max = std::max(max, weight[j]);
                    }
                    for (double& w : weight) total += w = w == nothing ? 0 : std::exp(w - max);
                    for (long j = 0; j < Lk; ++j)
                        if (weight[j] > 0) delta += (weight[j] /= total) * dot(dout, v, b, h, i, g, j);
                    std::vector<double> of_query(D);
                    for (long j = 0; j < Lk; ++j) {
                        if (weight[j] == 0) continue;
                        const double slope = factor * weight[j] * (dot(dout, v, b, h, i, g, j) - delta);
                        for (long d = 0; d < D; ++d) of_query[d] += slope * static_cast<double>(k(b, g, j, d));
                        for (long d = 0; d < D; ++d) of_keys[j * D + d] += slope * static_cast<double>(q(b, h, i, d));
                        for (long d = 0; d < Dv; ++d)
                            of_values[j * Dv + d] += weight[j] * static_cast<double>(dout(b, h, i, d));
                    }
                    for (long d = 0; d < D; ++d) dq(b, h, i, d) = static_cast<float>(of_query[d]);
                }
            for (long j = 0; j < Lk; ++j) {
                for (long d = 0; d < D; ++d) dk(b, g, j, d) = static_cast<float>(of_keys[j * D + d]);
                for (long d = 0; d < Dv; ++d) dv(b, g, j, d) = static_cast<float>(of_values[j * Dv + d]);
            }
        }
}

void attention_biased(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                      optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                      tensor<const float, 1> slopes, int window, tensor<float, 4> out) {
    attend(q, k, v, {mask, causal, window, slopes}, scale, out);
}

// The state is in float, as the contract has it: the weighted sum first, then the sum of weights, then the maximum.
// Within a block everything is summed in double.

void begin(tensor<float, 2> state) {
    const long last = state.extent(1) - 1;
    for (long i = 0; i < state.extent(0); ++i) {
        for (long c = 0; c < last; ++c) state(i, c) = 0;
        state(i, last) = -std::numeric_limits<float>::infinity();
    }
}

namespace {
/// Part of a row's keys, at least one: the maximum, and the sums of weights and of weights times values.
struct Part {
    double max, total;
    std::vector<double> sum;
};

void join(tensor<float, 2> state, long i, const Part& part) {
    float& max = state(i, state.extent(1) - 1);
    float& total = state(i, state.extent(1) - 2);
    const double top = std::max<double>(max, part.max);
    const double keep = std::exp(max - top), take = std::exp(part.max - top);
    max = static_cast<float>(top);
    total = static_cast<float>(keep * total + take * part.total);
    for (std::size_t d = 0; d < part.sum.size(); ++d)
        state(i, d) = static_cast<float>(keep * state(i, d) + take * part.sum[d]);
}
} // namespace

void absorb(tensor<float, 2> state, tensor<const float, 2> q, tensor<const float, 2> k, tensor<const float, 2> v,
            tensor<const bool, 2> mask, float scale) {
    for (long i = 0; i < q.extent(0); ++i) {
        Part part{nothing, 0, std::vector<double>(v.extent(1))};
        std::vector<float> logits(k.extent(0)); // rounded as the state's maximum is, so that they meet exactly
        for (long j = 0; j < k.extent(0); ++j) {
            if (!mask(i, j)) continue;
            double dot = 0;
            for (long d = 0; d < q.extent(1); ++d) dot += static_cast<double>(q(i, d)) * k(j, d);
            logits[j] = static_cast<float>(dot * scale);
            part.max = std::max<double>(part.max, logits[j]);
        }
        if (part.max == nothing) continue;
        for (long j = 0; j < k.extent(0); ++j) {
            if (!mask(i, j)) continue;
            const double weight = std::exp(logits[j] - part.max);
            part.total += weight;
            for (long d = 0; d < v.extent(1); ++d) part.sum[d] += weight * v(j, d);
        }
        join(state, i, part);
    }
}

void merge(tensor<float, 2> into, tensor<const float, 2> from) {
    const long max = from.extent(1) - 1;
    for (long i = 0; i < into.extent(0); ++i) {
        if (from(i, max - 1) == 0) continue;
        Part part{from(i, max), from(i, max - 1), {}};
        for (long c = 0; c < max - 3; ++c) part.sum.push_back(from(i, c));
        join(into, i, part);
    }
}

void finish(tensor<const float, 2> state, tensor<float, 2> out) {
    for (long i = 0; i < out.extent(0); ++i) {
        const float total = state(i, state.extent(1) - 2);
        for (long d = 0; d < out.extent(1); ++d) out(i, d) = total > 0 ? state(i, d) / total : 0.0f;
    }
}

} // namespace sdpa
