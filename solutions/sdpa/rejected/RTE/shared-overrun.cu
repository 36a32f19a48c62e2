// Wrong: an array for 64 keys, and a row of 70.
// Level: formula
// Told: writes past the end of a __shared__ array
#include "row.cuh"

namespace rows {

constexpr int threads = 64;

__global__ void attention_kernel(device_view<const float, 4> q, device_view<const float, 4> k,
                                 device_view<const float, 4> v, Pattern pattern, float factor,
                                 device_view<float, 4> out) {
    __shared__ float weights[threads];
    const Row row(blockIdx.x, q, k);
    const Index t = threadIdx.x, Lk = k.extent(2);
    float max = -CUDART_INF_F;
    for (Index j = 0; j < Lk; ++j) max = fmaxf(max, logit(q, k, pattern, factor, row, j));
    for (Index j = t; j < Lk; j += threads)
        weights[j] = expf(logit(q, k, pattern, factor, row, j) - max); // j up to Lk
    __syncthreads();
    for (Index d = t; d < v.extent(3); d += threads) {
        float sum = 0.0f, total = 0.0f;
        for (Index j = 0; j < Lk; ++j) total += weights[j], sum += weights[j] * v(row.b, row.kv, j, d);
        out(row.b, row.h, row.i, d) = sum / total;
    }
}

void attend(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
            Pattern pattern, float factor, device_view<float, 4> out, cudaStream_t stream) {
    attention_kernel<<<rows_of(q), threads, 0, stream>>>(q, k, v, pattern, factor, out);
}

} // namespace rows

#include "attention.cuh"
