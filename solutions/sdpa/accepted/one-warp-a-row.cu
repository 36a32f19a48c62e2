// A warp a query row and four of them a block: lanes take keys for the logits, and features for the values. Nothing is
// shared but by shuffles.
#include "row.cuh"

namespace rows {

constexpr int warps_a_block = 4, most_features = 256;

template <class In, class Out> __global__ void attention_kernel(device_view<const In, 4> q, device_view<const In, 4> k,
                                                                device_view<const In, 4> v, Pattern pattern,
                                                                float factor, device_view<Out, 4> out) {
    constexpr unsigned all = 0xffffffffu;
    const Index number = static_cast<Index>(blockIdx.x) * warps_a_block + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (number >= q.extent(0) * q.extent(1) * q.extent(2)) return; // the whole warp
    const Row row(number, q, k);
    const Index Lk = k.extent(2), Dv = v.extent(3);
    float max = -CUDART_INF_F, total = 0.0f, sums[most_features / 32] = {};
    for (Index first = 0; first < Lk; first += 32) {
        const float mine = logit(q, k, pattern, factor, row, first + lane);
        float next = fmaxf(max, mine);
        for (int distance = 16; distance > 0; distance /= 2) next = fmaxf(next, __shfl_xor_sync(all, next, distance));
        if (next == -CUDART_INF_F) continue; // the same in all lanes
        const float keep = expf(max - next), weight = expf(mine - next);
        total = total * keep + weight; // of this lane's keys
        for (Index f = 0; f * 32 < Dv; ++f) sums[f] *= keep;
        for (int n = 0; n < 32 && first + n < Lk; ++n) {
            const float share = __shfl_sync(all, weight, n);
            if (share == 0.0f) continue;
            for (Index f = 0; f * 32 + lane < Dv; ++f)
                sums[f] += share * static_cast<float>(v(row.b, row.kv, first + n, f * 32 + lane));
        }
        max = next;
    }
    for (int distance = 16; distance > 0; distance /= 2) total += __shfl_xor_sync(all, total, distance);
    for (Index f = 0; f * 32 + lane < Dv; ++f)
        out(row.b, row.h, row.i, f * 32 + lane) = Out(total > 0.0f ? sums[f] / total : 0.0f);
}

template <class In, class Out> void attend(device_view<const In, 4> q, device_view<const In, 4> k,
                                           device_view<const In, 4> v, Pattern pattern, optional<float> scale,
                                           device_view<Out, 4> out, cudaStream_t stream) {
    if (v.extent(3) > most_features) throw std::runtime_error("v is wider than 256");
    attention_kernel<<<blocks_for(rows_of(q), warps_a_block), 32 * warps_a_block, 0, stream>>>(
        q, k, v, pattern, factor_of(scale, q.extent(3)), out);
    check(cudaGetLastError());
}

} // namespace rows

#include "functions.cuh"
