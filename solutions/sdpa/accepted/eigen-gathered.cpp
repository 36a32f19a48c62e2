// Right: Eigen does the algebra. For each row the keys it may attend are gathered, so that masked ones are never
// touched. Products a coefficient at a time: several seconds less of compiling.
#include "contract.hpp"

#include <cmath>
#include <cstdlib>
#include <eigen3/Eigen/Core>
#include <limits>

namespace {

using assay::optional;
using assay::tensor;
using Eigen::Index;
using Eigen::MatrixXf;
using Eigen::VectorXf;

/// softmax(logits)ᵀ values, logits (n), values (n, Dv), n > 0; and the two numbers a later merge needs.
struct Softmax {
    float max, total;
    VectorXf sum;
    Softmax(const VectorXf& logits, const MatrixXf& values)
        : max(logits.maxCoeff()), total((logits.array() - max).exp().sum()),
          sum(values.transpose().lazyProduct((logits.array() - max).exp().matrix())) {}
};

template <class In, class Out> void attend(tensor<const In, 4> q, tensor<const In, 4> k, tensor<const In, 4> v,
                                           const optional<tensor<const bool, 4>>& mask, bool causal,
                                           optional<float> scale, const optional<tensor<const float, 1>>& slopes,
                                           Index window, tensor<Out, 4> out) {
    const Index Lq = q.extent(2), Lk = k.extent(2), D = q.extent(3), Dv = v.extent(3);
    const Index group = q.extent(1) / k.extent(1);
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    for (Index b = 0; b < q.extent(0); ++b)
        for (Index h = 0; h < q.extent(1); ++h)
            for (Index i = 0; i < Lq; ++i) {
                MatrixXf keys(Lk, D), values(Lk, Dv);
                VectorXf distance(Lk), query(D);
                Index n = 0;
                for (Index j = 0; j < Lk; ++j) {
                    const Index ahead = j + Lq - Lk - i;
                    if ((causal && ahead > 0) || (window > 0 && std::abs(ahead) >= window)) continue;
                    if (mask &&
                        !(*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2), j % mask->extent(3)))
                        continue;
                    for (Index d = 0; d < D; ++d) keys(n, d) = k(b, h / group, j, d);
                    for (Index d = 0; d < Dv; ++d) values(n, d) = v(b, h / group, j, d);
                    distance(n) = static_cast<float>(std::abs(ahead));
                    ++n;
                }
                if (n == 0) {
                    for (Index d = 0; d < Dv; ++d) out(b, h, i, d) = Out(0.0f);
                    continue;
                }
                for (Index d = 0; d < D; ++d) query(d) = q(b, h, i, d);
                VectorXf logits = factor * keys.topRows(n).lazyProduct(query);
                if (slopes) logits -= (*slopes)(h)*distance.head(n);
                const Softmax row(logits, values.topRows(n));
                for (Index d = 0; d < Dv; ++d) out(b, h, i, d) = Out(row.sum(d) / row.total);
            }
}

/// A row of the streaming state: the maximum, the sum of weights, the weighted sum.
struct Row {
    tensor<float, 2> state;
    Index i;
    void add(float max, float total, const VectorXf& sum) {
        const float top = std::fmax(state(i, 0), max);
        const float keep = std::exp(state(i, 0) - top), take = std::exp(max - top);
        state(i, 0) = top;
        state(i, 1) = keep * state(i, 1) + take * total;
        for (Index d = 0; d < sum.size(); ++d) state(i, 2 + d) = keep * state(i, 2 + d) + take * sum(d);
    }
};

/// One head of a view as a matrix, and back.
MatrixXf matrix(tensor<const float, 4> x, Index b, Index h) {
    return MatrixXf::NullaryExpr(x.extent(2), x.extent(3), [&](Index i, Index d) { return x(b, h, i, d); });
}

void scatter(const MatrixXf& from, tensor<float, 4> to, Index b, Index h) {
    for (Index i = 0; i < from.rows(); ++i)
        for (Index d = 0; d < from.cols(); ++d) to(b, h, i, d) = from(i, d);
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
    const Index Lq = q.extent(2), Lk = k.extent(2), D = q.extent(3), Dv = v.extent(3);
    const Index group = q.extent(1) / k.extent(1);
    const float factor = scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    for (Index b = 0; b < q.extent(0); ++b)
        for (Index g = 0; g < k.extent(1); ++g) {
            const MatrixXf K = matrix(k, b, g), V = matrix(v, b, g);
            MatrixXf dK = MatrixXf::Zero(Lk, D), dV = MatrixXf::Zero(Lk, Dv);
            for (Index h = g * group; h < (g + 1) * group; ++h) {
                const MatrixXf Q = matrix(q, b, h), dO = matrix(dout, b, h);
                const MatrixXf S = factor * Q.lazyProduct(K.transpose()), dP = dO.lazyProduct(V.transpose());
                MatrixXf P = MatrixXf::Zero(Lq, Lk);
                for (Index i = 0; i < Lq; ++i) {
                    const auto seen = [&](Index j) {
                        return (!causal || j <= i + Lk - Lq) &&
                               (!mask || (*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2),
                                                 j % mask->extent(3)));
                    };
                    float max = -std::numeric_limits<float>::infinity();
                    for (Index j = 0; j < Lk; ++j)
                        if (seen(j)) max = std::fmax(max, S(i, j));
                    for (Index j = 0; j < Lk; ++j)
                        if (seen(j)) P(i, j) = std::exp(S(i, j) - max);
                    if (const float total = P.row(i).sum(); total > 0) P.row(i) /= total;
                }
                const VectorXf delta = P.cwiseProduct(dP).rowwise().sum();
                const MatrixXf dS = factor * P.cwiseProduct(dP.colwise() - delta);
                const MatrixXf dQ = dS.lazyProduct(K);
                dK += dS.transpose().lazyProduct(Q);
                dV += P.transpose().lazyProduct(dO);
                scatter(dQ, dq, b, h);
            }
            scatter(dK, dk, b, g);
            scatter(dV, dv, b, g);
        }
}

void attention_biased(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
                      optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,
                      tensor<const float, 1> slopes, int window, tensor<float, 4> out) {
    attend(q, k, v, mask, causal, scale, slopes, window, out);
}

void begin(tensor<float, 2> state) {
    for (Index i = 0; i < state.extent(0); ++i)
        for (Index c = 0; c < state.extent(1); ++c) state(i, c) = c == 0 ? std::numeric_limits<float>::lowest() : 0;
}

void absorb(tensor<float, 2> state, tensor<const float, 2> q, tensor<const float, 2> k, tensor<const float, 2> v,
            tensor<const bool, 2> mask, float scale) {
    for (Index i = 0; i < q.extent(0); ++i) {
        MatrixXf values(k.extent(0), v.extent(1));
        VectorXf logits(k.extent(0));
        Index n = 0;
        for (Index j = 0; j < k.extent(0); ++j) {
            if (!mask(i, j)) continue;
            logits(n) = 0;
            for (Index d = 0; d < q.extent(1); ++d) logits(n) += q(i, d) * k(j, d);
            for (Index d = 0; d < v.extent(1); ++d) values(n, d) = v(j, d);
            ++n;
        }
        if (n == 0) continue;
        const Softmax block(scale * logits.head(n), values.topRows(n));
        Row{state, i}.add(block.max, block.total, block.sum);
    }
}

void merge(tensor<float, 2> into, tensor<const float, 2> from) {
    for (Index i = 0; i < into.extent(0); ++i) {
        VectorXf sum(from.extent(1) - 4);
        for (Index d = 0; d < sum.size(); ++d) sum(d) = from(i, 2 + d);
        Row{into, i}.add(from(i, 0), from(i, 1), sum);
    }
}

void finish(tensor<const float, 2> state, tensor<float, 2> out) {
    for (Index i = 0; i < out.extent(0); ++i)
        for (Index d = 0; d < out.extent(1); ++d) out(i, d) = state(i, 1) > 0 ? state(i, 2 + d) / state(i, 1) : 0.0f;
}

} // namespace sdpa
