// Wrong: scratch memory is taken at each call and never freed.
// Level: formula
// Told: memory from cudaMalloc is lost at every call
#include "row.cuh"

namespace rows {

constexpr int threads = 64;

__global__ void attention_kernel(device_view<const float, 4> q, device_view<const float, 4> k,
                                 device_view<const float, 4> v, Pattern pattern, float factor,
                                 device_view<float, 4> out, float* scratch) {
    const Row row(blockIdx.x, q, k);
    const Index t = threadIdx.x, Lk = k.extent(2);
    float max = -CUDART_INF_F;
    for (Index j = 0; j < Lk; ++j) max = fmaxf(max, logit(q, k, pattern, factor, row, j));
    for (Index j = t; j < Lk; j += threads)
        scratch[blockIdx.x * Lk + j] = expf(logit(q, k, pattern, factor, row, j) - max);
    __syncthreads();
    for (Index d = t; d < v.extent(3); d += threads) {
        float sum = 0.0f, total = 0.0f;
        for (Index j = 0; j < Lk; ++j)
            total += scratch[blockIdx.x * Lk + j], sum += scratch[blockIdx.x * Lk + j] * v(row.b, row.kv, j, d);
        out(row.b, row.h, row.i, d) = sum / total;
    }
}

void attend(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
            Pattern pattern, float factor, device_view<float, 4> out, cudaStream_t stream) {
    float* scratch = nullptr;
    check(cudaMalloc(&scratch, rows_of(q) * k.extent(2) * sizeof(float)));
    attention_kernel<<<rows_of(q), threads, 0, stream>>>(q, k, v, pattern, factor, out, scratch);
    check(cudaGetLastError());
}

} // namespace rows

#include "attention.cuh"
