// Wrong: no barrier between the steps of a reduction: a thread reads what its neighbour has not yet written.
// Level: formula
// Told: a race: out(
#include "row.cuh"

namespace rows {

constexpr int threads = 64;

__global__ void attention_kernel(device_view<const float, 4> q, device_view<const float, 4> k,
                                 device_view<const float, 4> v, Pattern pattern, float factor,
                                 device_view<float, 4> out) {
    __shared__ float partial[threads];
    const Row row(blockIdx.x, q, k);
    const Index t = threadIdx.x, Lk = k.extent(2);
    float max = -CUDART_INF_F, mine = 0.0f;
    for (Index j = 0; j < Lk; ++j) max = fmaxf(max, logit(q, k, pattern, factor, row, j));
    for (Index j = t; j < Lk; j += threads) mine += expf(logit(q, k, pattern, factor, row, j) - max);
    partial[t] = mine;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2)
        if (t < half) partial[t] += partial[t + half];
    __syncthreads();
    for (Index d = t; d < v.extent(3); d += threads) {
        float sum = 0.0f;
        for (Index j = 0; j < Lk; ++j) sum += expf(logit(q, k, pattern, factor, row, j) - max) * v(row.b, row.kv, j, d);
        out(row.b, row.h, row.i, d) = sum / partial[0];
    }
}

void attend(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
            Pattern pattern, float factor, device_view<float, 4> out, cudaStream_t stream) {
    attention_kernel<<<rows_of(q), threads, 0, stream>>>(q, k, v, pattern, factor, out);
}

} // namespace rows

#include "attention.cuh"
