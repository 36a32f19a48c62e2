// Attention in CUDA as it is asked, a thread a query row. What an answer gets wrong is a member of its `Choices` that
// hides the right one of `Right`.
#ifndef ASSAY_SDPA_WRONG_ATTENTION_CUH
#define ASSAY_SDPA_WRONG_ATTENTION_CUH

#include "contract.cuh"

#include <math_constants.h>

#include <cmath>
#include <cstddef>

namespace wrong {

using assay::device_view;
using assay::optional;
using Index = std::ptrdiff_t;

struct Right {
    template <class In> using Sum = float; // what weights and weighted values are summed in

    static float factor(optional<float> scale, Index D) {
        return scale.value_or(1.0f / std::sqrt(static_cast<float>(D)));
    }
    static Index blocks(Index rows, Index threads) { return (rows + threads - 1) / threads; }
    __device__ static bool has_row(Index number, Index rows) { return number < rows; }
    __device__ static Index kv_head(Index h, Index Hq, Index Hkv) { return h / (Hq / Hkv); }
    __device__ static bool causal(Index i, Index j, Index Lq, Index Lk) { return j <= i + Lk - Lq; }
    __device__ static Index keys(Index Lk) { return Lk; } // that are looked at
    __device__ static float taken_off(float max) { return max; }
    template <class T> __device__ static T at(const device_view<const T, 4>& x, Index a, Index b, Index c, Index d) {
        return x(a, b, c, d);
    }
};

template <class Choices, class In, class Out>
__global__ void attention_kernel(device_view<const In, 4> q, device_view<const In, 4> k, device_view<const In, 4> v,
                                 optional<device_view<const bool, 4>> mask, bool causal, float factor,
                                 device_view<Out, 4> out) {
    using Sum = typename Choices::template Sum<In>;
    const Index number = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    const Index B = q.extent(0), Hq = q.extent(1), Lq = q.extent(2), Lk = k.extent(2);
    if (!Choices::has_row(number, B * Hq * Lq)) return;
    const Index b = number / Lq / Hq, h = number / Lq % Hq, i = number % Lq, kv = Choices::kv_head(h, Hq, k.extent(1));
    const auto logit = [&](Index j) {
        if (causal && !Choices::causal(i, j, Lq, Lk)) return -CUDART_INF_F;
        if (mask &&
            !Choices::at(*mask, b % mask->extent(0), h % mask->extent(1), i % mask->extent(2), j % mask->extent(3)))
            return -CUDART_INF_F;
        float dot = 0.0f;
        for (Index d = 0; d < q.extent(3); ++d)
            dot += static_cast<float>(Choices::at(q, b, h, i, d)) * static_cast<float>(Choices::at(k, b, kv, j, d));
        return factor * dot;
    };
    float max = -CUDART_INF_F;
    for (Index j = 0; j < Choices::keys(Lk); ++j) max = fmaxf(max, logit(j));
    const bool empty = max == -CUDART_INF_F;
    max = Choices::taken_off(max);
    Sum total(0.0f);
    for (Index j = 0; j < Choices::keys(Lk) && !empty; ++j)
        total = Sum(static_cast<float>(total) + expf(logit(j) - max));
    for (Index d = 0; d < v.extent(3); ++d) {
        Sum sum(0.0f);
        for (Index j = 0; j < Choices::keys(Lk) && !empty; ++j)
            if (const float weight = expf(logit(j) - max); weight != 0.0f)
                sum = Sum(static_cast<float>(sum) + weight * static_cast<float>(Choices::at(v, b, kv, j, d)));
        out(b, h, i, d) = Out(empty ? 0.0f : static_cast<float>(sum) / static_cast<float>(total));
    }
}

template <class Choices, class In, class Out>
void attend(device_view<const In, 4> q, device_view<const In, 4> k, device_view<const In, 4> v,
            optional<device_view<const bool, 4>> mask, bool causal, optional<float> scale, device_view<Out, 4> out,
            cudaStream_t stream) {
    constexpr int threads = 32;
    const Index rows = q.extent(0) * q.extent(1) * q.extent(2);
    attention_kernel<Choices><<<Choices::blocks(rows, threads), threads, 0, stream>>>(
        q, k, v, mask, causal, Choices::factor(scale, q.extent(3)), out);
}

} // namespace wrong

#define ASSAY_WRONG_ATTENTION(Choices, name, In, Out)                                                                  \
    void sdpa::name(device_view<const In, 4> q, device_view<const In, 4> k, device_view<const In, 4> v,                \
                    optional<device_view<const bool, 4>> mask, bool causal, optional<float> scale,                     \
                    device_view<Out, 4> out, cudaStream_t stream) {                                                    \
        wrong::attend<Choices>(q, k, v, mask, causal, scale, out, stream);                                             \
    }

#endif
