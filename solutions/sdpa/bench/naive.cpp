// What attention costs without a thought for it: the whole matrix of scores, then its softmax, then the sums, each a
// pass of scalar loops over all of it. A contestant of `assay bench`; masks and 16-bit storage work as everywhere.
#include "contract.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace {

using assay::optional;
using assay::tensor;
using Index = std::ptrdiff_t;

/// q (B, Hq, Lq, D), k (B, Hkv, Lk, D), v (B, Hkv, Lk, Dv), out (B, Hq, Lq, Dv).
template <class In> void attend(tensor<const In, 4> q, tensor<const In, 4> k, tensor<const In, 4> v,
                                optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                                tensor<float, 4> out) {
    const Index B = q.extent(0), Hq = q.extent(1), Lq = q.extent(2), D = q.extent(3);
    const Index Hkv = k.extent(1), Lk = k.extent(2), Dv = v.extent(3);
    const float factor = scale.value_or(1 / std::sqrt(static_cast<float>(D)));
    std::vector<float> scores(static_cast<std::size_t>(Lq * Lk)); // (Lq, Lk), of one head
    const auto score = [&](Index i, Index j) -> float& { return scores[static_cast<std::size_t>(i * Lk + j)]; };
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < Hq; ++h) {
            const Index kv = h / (Hq / Hkv);
            for (Index i = 0; i < Lq; ++i)
                for (Index j = 0; j < Lk; ++j) {
                    float dot = 0;
                    for (Index d = 0; d < D; ++d) dot += q(b, h, i, d) * k(b, kv, j, d);
                    const bool allowed =
                        (!causal || j <= i + Lk - Lq) && (!mask || (*mask)(b % mask->extent(0), h % mask->extent(1),
                                                                           i % mask->extent(2), j % mask->extent(3)));
                    score(i, j) = allowed ? factor * dot : -INFINITY;
                }
            for (Index i = 0; i < Lq; ++i) {
                float most = -INFINITY, total = 0;
                for (Index j = 0; j < Lk; ++j) most = std::fmax(most, score(i, j));
                for (Index j = 0; j < Lk; ++j) {
                    score(i, j) = most == -INFINITY ? 0 : std::exp(score(i, j) - most);
                    total += score(i, j);
                }
                for (Index j = 0; j < Lk; ++j) score(i, j) /= total > 0 ? total : 1;
            }
            for (Index i = 0; i < Lq; ++i)
                for (Index d = 0; d < Dv; ++d) {
                    float sum = 0;
                    for (Index j = 0; j < Lk; ++j) sum += score(i, j) * v(b, kv, j, d);
                    out(b, h, i, d) = sum;
                }
        }
}

} // namespace

namespace sdpa {

void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, out);
}

void attention_f16(tensor<const half, 4> q, tensor<const half, 4> k, tensor<const half, 4> v,
                   optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, out);
}

void attention_bf16(tensor<const bfloat16, 4> q, tensor<const bfloat16, 4> k, tensor<const bfloat16, 4> v,
                    optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, out);
}

} // namespace sdpa
