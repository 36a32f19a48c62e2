// A thread a query row, three passes over its keys: the largest logit, the sum of weights, the values.
#include "row.cuh"

namespace rows {

template <class In, class Out> __global__ void attention_kernel(device_view<const In, 4> q, device_view<const In, 4> k,
                                                                device_view<const In, 4> v, Pattern pattern,
                                                                float factor, device_view<Out, 4> out) {
    const Index number = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (number >= q.extent(0) * q.extent(1) * q.extent(2)) return; // the last block is not full
    const Row row(number, q, k);
    const Index Lk = k.extent(2);
    float max = -CUDART_INF_F, total = 0.0f;
    for (Index j = 0; j < Lk; ++j) max = fmaxf(max, logit(q, k, pattern, factor, row, j));
    const bool empty = max == -CUDART_INF_F;
    for (Index j = 0; j < Lk && !empty; ++j) total += expf(logit(q, k, pattern, factor, row, j) - max);
    for (Index d = 0; d < v.extent(3); ++d) {
        float sum = 0.0f;
        for (Index j = 0; j < Lk && !empty; ++j) {
            const float weight = expf(logit(q, k, pattern, factor, row, j) - max);
            if (weight > 0.0f) sum += weight * static_cast<float>(v(row.b, row.kv, j, d));
        }
        out(row.b, row.h, row.i, d) = Out(empty ? 0.0f : sum / total);
    }
}

template <class In, class Out> void attend(device_view<const In, 4> q, device_view<const In, 4> k,
                                           device_view<const In, 4> v, Pattern pattern, optional<float> scale,
                                           device_view<Out, 4> out, cudaStream_t stream) {
    attention_kernel<<<blocks_for(rows_of(q), 128), 128, 0, stream>>>(q, k, v, pattern, factor_of(scale, q.extent(3)),
                                                                      out);
    check(cudaGetLastError());
}

} // namespace rows

#include "functions.cuh"
