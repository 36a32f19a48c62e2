// Wrong: a shuffle names all 32 lanes, and only those with a key make it.
// Level: formula
// Told: waits at __shfl_xor_sync in shuffle-mask-too-wide.cu:19 with mask 0xffffffff for lane
#include "row.cuh"

namespace rows {

constexpr int threads = 32;

__global__ void attention_kernel(device_view<const float, 4> q, device_view<const float, 4> k,
                                 device_view<const float, 4> v, Pattern pattern, float factor,
                                 device_view<float, 4> out) {
    const Row row(blockIdx.x, q, k);
    const Index lane = threadIdx.x, Lk = k.extent(2);
    float max = -CUDART_INF_F;
    for (Index j = lane; j < Lk; j += 32) max = fmaxf(max, logit(q, k, pattern, factor, row, j));
    if (lane < Lk)
        for (int distance = 16; distance > 0; distance /= 2)
            max = fmaxf(max, __shfl_xor_sync(0xffffffffu, max, distance));
    max = __shfl_sync(0xffffffffu, max, 0);
    for (Index d = lane; d < v.extent(3); d += 32) {
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
