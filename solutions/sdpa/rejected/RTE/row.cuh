// What answers in CUDA share that are right but for how their threads work together: which keys a row may attend, and
// its logits.
#ifndef ASSAY_SDPA_ROW_CUH
#define ASSAY_SDPA_ROW_CUH

#include "contract.cuh"

#include <math_constants.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace rows {

using assay::device_view;
using assay::optional;
using Index = std::ptrdiff_t;

inline void check(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

struct Pattern {
    optional<device_view<const bool, 4>> mask;
    bool causal;

    __device__ bool allows(Index b, Index h, Index i, Index j, Index Lq, Index Lk) const {
        if (causal && j > i + Lk - Lq) return false;
        return !mask || (*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2), j % mask->extent(3));
    }
};

/// Query (b, h, i) and the key/value head that it reads; q (B, Hq, Lq, D), k (B, Hkv, Lk, D).
struct Row {
    Index b, h, i, kv;

    template <class T, class K> __device__ Row(Index number, const device_view<T, 4>& q, const device_view<K, 4>& k)
        : b(number / q.extent(2) / q.extent(1)), h(number / q.extent(2) % q.extent(1)), i(number % q.extent(2)),
          kv(h / (q.extent(1) / k.extent(1))) {}
};

/// Minus infinity where key j is none of the row's.
template <class T> __device__ float logit(const device_view<const T, 4>& q, const device_view<const T, 4>& k,
                                          const Pattern& pattern, float factor, const Row& row, Index j) {
    const Index Lk = k.extent(2);
    if (j >= Lk || !pattern.allows(row.b, row.h, row.i, j, q.extent(2), Lk)) return -CUDART_INF_F;
    float dot = 0.0f;
    for (Index d = 0; d < q.extent(3); ++d)
        dot += static_cast<float>(q(row.b, row.h, row.i, d)) * static_cast<float>(k(row.b, row.kv, j, d));
    return factor * dot;
}

inline float factor_of(optional<float> scale, Index D) {
    return scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
}

template <class T> Index rows_of(const device_view<T, 4>& x) { return x.extent(0) * x.extent(1) * x.extent(2); }

inline Index blocks_for(Index count, Index threads) { return (count + threads - 1) / threads; }

} // namespace rows

#endif
