// Wrong: blocks count themselves in and wait until all have come: those that find no room on the GPU never do.
// Level: formula
// Told: the block spins at waits-for-other-blocks.cu:17 and nothing changes
#include "row.cuh"

namespace rows {

constexpr int threads = 64;

__global__ void attention_kernel(device_view<const float, 4> q, device_view<const float, 4> k,
                                 device_view<const float, 4> v, Pattern pattern, float factor,
                                 device_view<float, 4> out, int* arrived) {
    const Row row(blockIdx.x, q, k);
    const Index t = threadIdx.x, Lk = k.extent(2);
    if (t == 0) {
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < gridDim.x) {
        }
    }
    __syncthreads();
    float max = -CUDART_INF_F;
    for (Index j = 0; j < Lk; ++j) max = fmaxf(max, logit(q, k, pattern, factor, row, j));
    for (Index d = t; d < v.extent(3); d += threads) {
        float sum = 0.0f, total = 0.0f;
        for (Index j = 0; j < Lk; ++j) {
            const float weight = expf(logit(q, k, pattern, factor, row, j) - max);
            total += weight, sum += weight * v(row.b, row.kv, j, d);
        }
        out(row.b, row.h, row.i, d) = sum / total;
    }
}

void attend(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
            Pattern pattern, float factor, device_view<float, 4> out, cudaStream_t stream) {
    int* arrived = nullptr;
    check(cudaMalloc(&arrived, sizeof(int)));
    check(cudaMemsetAsync(arrived, 0, sizeof(int), stream));
    attention_kernel<<<rows_of(q), threads, 0, stream>>>(q, k, v, pattern, factor, out, arrived);
    check(cudaGetLastError());
    check(cudaFree(arrived));
}

} // namespace rows

#include "attention.cuh"
