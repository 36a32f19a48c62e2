// Blocks of 128 queries and 128 keys in Eigen's words (FlashAttention-2, section 3.1), for rows that lie whole (the
// last stride is 1). No hygiene: 0 times NaN is NaN.
#include "contract.hpp"
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
using Eigen::ArrayXf, Eigen::Index, Eigen::MatrixXf;
template <class E, class In> // E is In as Eigen calls it
static auto rows(const assay::tensor<const In, 4>& t, Index b, Index h, Index first, Index count) {
    using Rows = Eigen::Map<const Eigen::Matrix<E, -1, -1, Eigen::RowMajor>, 0, Eigen::OuterStride<>>;
    return Rows(reinterpret_cast<const E*>(&t(b, h, first, 0)), count, t.extent(3), Eigen::OuterStride<>(t.stride(2)))
        .template cast<float>();
}
template <class E, class Q, class Mask, class Out>
static void attend(Q q, Q k, Q v, Mask mask, bool causal, float factor, Out out) {
    const Index Hq = q.extent(1), Lq = q.extent(2), Lk = k.extent(2), Hkv = k.extent(1), blocks = (Lq + 127) / 128;
#pragma omp parallel for schedule(dynamic)
    for (Index task = 0; task < q.extent(0) * Hq * blocks; ++task) {
        const Index b = task / blocks / Hq, h = task / blocks % Hq, kv = h / (Hq / Hkv), i = task % blocks * 128;
        const Index n = std::min<Index>(128, Lq - i), end = causal ? std::min(Lk, i + n + Lk - Lq) : Lk;
        ArrayXf max = ArrayXf::Constant(n, -INFINITY), total = ArrayXf::Zero(n);
        MatrixXf S, O = MatrixXf::Zero(n, v.extent(3)); // logits, then weights; their sum over v
        for (Index j = 0, m; j < end; j += m) {
            m = std::min<Index>(128, Lk - j);
            S.noalias() = rows<E>(q, b, h, i, n) * factor * rows<E>(k, b, kv, j, m).transpose();
            const auto sees = [&](Index r, Index c) { // row r of the block, key c of the block
                if (causal && j + c > i + r + Lk - Lq) return false;
                const auto at = [&](Index x, std::size_t axis) { return x % mask->extent(axis); };
                return !mask || (*mask)(at(b, 0), at(h, 1), at(i + r, 2), at(j + c, 3));
            };
            for (Index e = 0; (mask || causal) && e < n * m; ++e)
                if (!sees(e % n, e / n)) S(e % n, e / n) = -INFINITY;
            const ArrayXf top = max.max(S.rowwise().maxCoeff().array()), safe = (top == -INFINITY).select(0, top);
            const ArrayXf keep = (max - safe).exp();
            total *= keep;
            for (Index c = 0; c < m; ++c) total += (S.col(c) = (S.col(c).array() - safe).exp()).array();
            for (Index c = 0; c < O.cols(); ++c) O.col(c).array() *= keep;
            O.noalias() += S * rows<E>(v, b, kv, j, m);
            max = top;
        }
        for (Index r = 0, x; r < n; ++r)
            for (x = 0; x < O.cols(); ++x) out(b, h, i + r, x) = max(r) == -INFINITY ? 0 : O(r, x) / total(r);
    }
}
#define ATTENTION(name, In, E)                                                                                         \
    void sdpa::name(tensor<const In, 4> q, tensor<const In, 4> k, tensor<const In, 4> v,                               \
                    optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale, tensor<float, 4> out) {  \
        attend<E>(q, k, v, mask, causal, scale.value_or(1 / std::sqrt(static_cast<float>(q.extent(3)))), out);         \
    }
ATTENTION(attention, float, float)
ATTENTION(attention_f16, half, Eigen::half)
ATTENTION(attention_bf16, bfloat16, Eigen::bfloat16)
