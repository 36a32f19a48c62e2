// Wrong: threads with a key wait at one barrier, those without at another.
// Level: formula
// Told: at the barrier in divergent-barrier.cu:20, thread
#include "row.cuh"

namespace rows {

constexpr int threads = 64;

__global__ void attention_kernel(device_view<const float, 4> q, device_view<const float, 4> k,
                                 device_view<const float, 4> v, Pattern pattern, float factor,
                                 device_view<float, 4> out) {
    __shared__ float partial[threads];
    const Row row(blockIdx.x, q, k);
    const Index t = threadIdx.x, Lk = k.extent(2);
    float mine = -CUDART_INF_F;
    for (Index j = t; j < Lk; j += threads) mine = fmaxf(mine, logit(q, k, pattern, factor, row, j));
    if (t < Lk) {
        partial[t] = mine;
        __syncthreads();
    } else {
        partial[t] = -CUDART_INF_F;
        __syncthreads();
    }
    for (int half = threads / 2; half > 0; half /= 2) {
        if (t < half) partial[t] = fmaxf(partial[t], partial[t + half]);
        __syncthreads();
    }
    const float max = partial[0];
    __syncthreads();
    for (Index d = t; d < v.extent(3); d += threads) {
        float sum = 0.0f, total = 0.0f;
        for (Index j = 0; j < Lk && max > -CUDART_INF_F; ++j) {
            const float weight = expf(logit(q, k, pattern, factor, row, j) - max);
            total += weight;
            sum += weight * v(row.b, row.kv, j, d);
        }
        out(row.b, row.h, row.i, d) = total > 0.0f ? sum / total : 0.0f;
    }
}

void attend(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
            Pattern pattern, float factor, device_view<float, 4> out, cudaStream_t stream) {
    attention_kernel<<<rows_of(q), threads, 0, stream>>>(q, k, v, pattern, factor, out);
}

} // namespace rows

#include "attention.cuh"
