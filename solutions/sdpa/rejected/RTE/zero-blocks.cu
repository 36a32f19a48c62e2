// Wrong: the grid's size is rounded down to none where there are fewer rows than threads.
// Level: formula
// Told: cudaErrorInvalidConfiguration (invalid configuration argument) was left
#include "row.cuh"

namespace rows {

constexpr int threads = 64;

__global__ void attention_kernel(device_view<const float, 4> q, device_view<const float, 4> k,
                                 device_view<const float, 4> v, Pattern pattern, float factor,
                                 device_view<float, 4> out) {
    const Index number = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (number >= q.extent(0) * q.extent(1) * q.extent(2)) return;
    const Row row(number, q, k);
    const Index Lk = k.extent(2);
    float max = -CUDART_INF_F;
    for (Index j = 0; j < Lk; ++j) max = fmaxf(max, logit(q, k, pattern, factor, row, j));
    for (Index d = 0; d < v.extent(3); ++d) {
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
    attention_kernel<<<rows_of(q) / threads, threads, 0, stream>>>(q, k, v, pattern, factor, out);
}

} // namespace rows

#include "attention.cuh"
