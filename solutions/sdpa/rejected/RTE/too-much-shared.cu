// Wrong: 64 KiB of dynamic shared memory, without asking to be allowed more than 48.
// Level: formula
// Told: with 65536 bytes of dynamic shared memory, does not run
#include "row.cuh"

namespace rows {

constexpr int threads = 64;

__global__ void attention_kernel(device_view<const float, 4> q, device_view<const float, 4> k,
                                 device_view<const float, 4> v, Pattern pattern, float factor,
                                 device_view<float, 4> out) {
    extern __shared__ float weights[];
    const Row row(blockIdx.x, q, k);
    const Index t = threadIdx.x, Lk = k.extent(2);
    float max = -CUDART_INF_F;
    for (Index j = 0; j < Lk; ++j) max = fmaxf(max, logit(q, k, pattern, factor, row, j));
    for (Index j = t; j < Lk; j += threads) weights[j] = expf(logit(q, k, pattern, factor, row, j) - max);
    __syncthreads();
    for (Index d = t; d < v.extent(3); d += threads) {
        float sum = 0.0f, total = 0.0f;
        for (Index j = 0; j < Lk; ++j) total += weights[j], sum += weights[j] * v(row.b, row.kv, j, d);
        out(row.b, row.h, row.i, d) = sum / total;
    }
}

void attend(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
            Pattern pattern, float factor, device_view<float, 4> out, cudaStream_t stream) {
    attention_kernel<<<rows_of(q), threads, 65536, stream>>>(q, k, v, pattern, factor, out);
}

} // namespace rows

#include "attention.cuh"
