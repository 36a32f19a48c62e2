// Wrong: a thread a query and key, in one block: more than 1024 where there are many keys.
// Level: heads-and-views
// Told: does not run: every extent is at least 1, and a block has at most 1024 threads
#include "row.cuh"

namespace rows {

__global__ void attention_kernel(device_view<const float, 4> q, device_view<const float, 4> k,
                                 device_view<const float, 4> v, Pattern pattern, float factor,
                                 device_view<float, 4> out) {
    extern __shared__ float weights[];
    const Index Lq = q.extent(2), Lk = k.extent(2), j = threadIdx.x, i = threadIdx.y;
    const Row row(blockIdx.x * Lq + i, q, k);
    float max = -CUDART_INF_F;
    for (Index other = 0; other < Lk; ++other) max = fmaxf(max, logit(q, k, pattern, factor, row, other));
    weights[i * Lk + j] = max > -CUDART_INF_F ? expf(logit(q, k, pattern, factor, row, j) - max) : 0.0f;
    __syncthreads();
    for (Index d = j; d < v.extent(3); d += Lk) {
        float sum = 0.0f, total = 0.0f;
        for (Index n = 0; n < Lk; ++n)
            total += weights[i * Lk + n], sum += weights[i * Lk + n] * v(row.b, row.kv, n, d);
        out(row.b, row.h, row.i, d) = total > 0.0f ? sum / total : 0.0f;
    }
}

void attend(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
            Pattern pattern, float factor, device_view<float, 4> out, cudaStream_t stream) {
    const dim3 grid(q.extent(0) * q.extent(1)), block(k.extent(2), q.extent(2));
    attention_kernel<<<grid, block, block.x * block.y * sizeof(float), stream>>>(q, k, v, pattern, factor, out);
}

} // namespace rows

#include "attention.cuh"
