// Wrong: the memory that cudaMalloc is asked for has no room for the sums of weights.
// Level: formula
// Told: memory from cudaMalloc was written past the end of its
#include "row.cuh"

namespace rows {

constexpr int threads = 64;

__global__ void attention_kernel(device_view<const float, 4> q, device_view<const float, 4> k,
                                 device_view<const float, 4> v, Pattern pattern, float factor,
                                 device_view<float, 4> out, float* scratch) {
    const Row row(blockIdx.x, q, k);
    const Index t = threadIdx.x, Lk = k.extent(2), Dv = v.extent(3);
    float max = -CUDART_INF_F;
    for (Index j = 0; j < Lk; ++j) max = fmaxf(max, logit(q, k, pattern, factor, row, j));
    float* of_row = scratch + blockIdx.x * (Dv + 1); // the sum of weights, then those of values
    for (Index d = t; d < Dv + 1; d += threads) of_row[d] = 0.0f;
    __syncthreads();
    for (Index j = t; j < Lk; j += threads) {
        const float weight = expf(logit(q, k, pattern, factor, row, j) - max);
        atomicAdd(&of_row[Dv], weight);
        for (Index d = 0; d < Dv; ++d) atomicAdd(&of_row[d], weight * v(row.b, row.kv, j, d));
    }
    __syncthreads();
    for (Index d = t; d < Dv; d += threads) out(row.b, row.h, row.i, d) = of_row[d] / of_row[Dv];
}

void attend(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
            Pattern pattern, float factor, device_view<float, 4> out, cudaStream_t stream) {
    float* scratch = nullptr;
    check(cudaMalloc(&scratch, rows_of(q) * v.extent(3) * sizeof(float)));
    attention_kernel<<<rows_of(q), threads, 0, stream>>>(q, k, v, pattern, factor, out, scratch);
    check(cudaGetLastError());
    check(cudaFree(scratch));
}

} // namespace rows

#include "attention.cuh"
