// A quarter of a warp a query row, by cooperative groups: their reductions in the place of shuffles.
#include "row.cuh"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace rows {

namespace cg = cooperative_groups;

constexpr int lanes = 8, threads = 64;

template <class In, class Out> __global__ void attention_kernel(device_view<const In, 4> q, device_view<const In, 4> k,
                                                                device_view<const In, 4> v, Pattern pattern,
                                                                float factor, device_view<Out, 4> out) {
    const auto group = cg::tiled_partition<lanes>(cg::this_thread_block());
    const Index number = (static_cast<Index>(blockIdx.x) * threads + threadIdx.x) / lanes;
    if (number >= q.extent(0) * q.extent(1) * q.extent(2)) return; // the whole group
    const Row row(number, q, k);
    const Index Lk = k.extent(2), lane = group.thread_rank();
    float max = -CUDART_INF_F, total = 0.0f;
    for (Index j = lane; j < Lk; j += lanes) max = fmaxf(max, logit(q, k, pattern, factor, row, j));
    max = cg::reduce(group, max, cg::greater<float>());
    const bool empty = max == -CUDART_INF_F;
    for (Index j = lane; j < Lk && !empty; j += lanes) total += expf(logit(q, k, pattern, factor, row, j) - max);
    total = cg::reduce(group, total, cg::plus<float>());
    for (Index d = 0; d < v.extent(3); ++d) {
        float sum = 0.0f;
        for (Index j = lane; j < Lk && !empty; j += lanes) {
            const float weight = expf(logit(q, k, pattern, factor, row, j) - max);
            if (weight > 0.0f) sum += weight * static_cast<float>(v(row.b, row.kv, j, d));
        }
        sum = cg::reduce(group, sum, cg::plus<float>());
        if (lane == 0) out(row.b, row.h, row.i, d) = Out(empty ? 0.0f : sum / total);
    }
}

template <class In, class Out> void attend(device_view<const In, 4> q, device_view<const In, 4> k,
                                           device_view<const In, 4> v, Pattern pattern, optional<float> scale,
                                           device_view<Out, 4> out, cudaStream_t stream) {
    attention_kernel<<<blocks_for(rows_of(q) * lanes, threads), threads, 0, stream>>>(
        q, k, v, pattern, factor_of(scale, q.extent(3)), out);
    check(cudaGetLastError());
}

} // namespace rows

#include "functions.cuh"
