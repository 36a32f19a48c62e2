// Wrong: each block adds its part of the keys to what the block before it left, as if blocks came one after another.
// Level: formula
// Told: a race: out(
#include "row.cuh"

namespace rows {

constexpr int threads = 64;

__global__ void attention_kernel(device_view<const float, 4> q, device_view<const float, 4> k,
                                 device_view<const float, 4> v, Pattern pattern, float factor,
                                 device_view<float, 4> out) {
    const Index rows = q.extent(0) * q.extent(1) * q.extent(2), number = blockIdx.x % rows, part = blockIdx.x / rows;
    const Row row(number, q, k);
    const Index Lk = k.extent(2), first = part == 0 ? 0 : Lk / 2, last = part == 0 ? Lk / 2 : Lk;
    float max = -CUDART_INF_F, total = 0.0f;
    for (Index j = 0; j < Lk; ++j) max = fmaxf(max, logit(q, k, pattern, factor, row, j));
    for (Index j = 0; j < Lk; ++j) total += expf(logit(q, k, pattern, factor, row, j) - max);
    for (Index d = threadIdx.x; d < v.extent(3); d += threads) {
        float sum = part == 0 ? 0.0f : out(row.b, row.h, row.i, d);
        for (Index j = first; j < last; ++j)
            sum += expf(logit(q, k, pattern, factor, row, j) - max) / total * v(row.b, row.kv, j, d);
        out(row.b, row.h, row.i, d) = sum;
    }
}

void attend(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
            Pattern pattern, float factor, device_view<float, 4> out, cudaStream_t stream) {
    attention_kernel<<<2 * rows_of(q), threads, 0, stream>>>(q, k, v, pattern, factor, out);
}

} // namespace rows

#include "attention.cuh"
