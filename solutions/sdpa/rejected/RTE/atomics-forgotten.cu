// Wrong: threads of a block add to one number by +=, so that some additions are lost.
// Level: formula
// Told: a race: out(
#include "row.cuh"

namespace rows {

constexpr int threads = 64;

__global__ void attention_kernel(device_view<const float, 4> q, device_view<const float, 4> k,
                                 device_view<const float, 4> v, Pattern pattern, float factor,
                                 device_view<float, 4> out) {
    __shared__ float total, sums[64]; // Dv is at most 64
    const Row row(blockIdx.x, q, k);
    const Index t = threadIdx.x, Lk = k.extent(2), Dv = v.extent(3);
    if (t == 0) total = 0.0f;
    for (Index d = t; d < Dv; d += threads) sums[d] = 0.0f;
    __syncthreads();
    float max = -CUDART_INF_F;
    for (Index j = 0; j < Lk; ++j) max = fmaxf(max, logit(q, k, pattern, factor, row, j));
    for (Index j = t; j < Lk; j += threads) {
        const float weight = expf(logit(q, k, pattern, factor, row, j) - max);
        total += weight;
        for (Index d = 0; d < Dv; ++d) sums[d] += weight * v(row.b, row.kv, j, d);
    }
    __syncthreads();
    for (Index d = t; d < Dv; d += threads) out(row.b, row.h, row.i, d) = sums[d] / total;
}

void attend(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
            Pattern pattern, float factor, device_view<float, 4> out, cudaStream_t stream) {
    attention_kernel<<<rows_of(q), threads, 0, stream>>>(q, k, v, pattern, factor, out);
}

} // namespace rows

#include "attention.cuh"
