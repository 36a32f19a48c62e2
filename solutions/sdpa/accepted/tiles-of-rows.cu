// A block takes 8 query rows and walks over the keys in tiles of 16, which lie in shared memory (Dao et al.,
// "FlashAttention", 2022, algorithm 1): thread (c, r) has the logit of key c in row r, and every 16th feature of the
// row.
#include "row.cuh"

namespace rows {

constexpr int tile_rows = 8, tile_keys = 16;

/// Dynamic shared memory: queries (tile_rows, D), keys (tile_keys, D), values (tile_keys, Dv), sums (tile_rows, Dv).
template <class In, class Out> __global__ void attention_kernel(device_view<const In, 4> q, device_view<const In, 4> k,
                                                                device_view<const In, 4> v, Pattern pattern,
                                                                float factor, device_view<Out, 4> out) {
    extern __shared__ float shared[];
    __shared__ float weights[tile_rows][tile_keys];
    const Index Lq = q.extent(2), Lk = k.extent(2), D = q.extent(3), Dv = v.extent(3);
    float *queries = shared, *keys = queries + tile_rows * D, *values = keys + tile_keys * D,
          *sums = values + tile_keys * Dv;
    const Index b = blockIdx.z, h = blockIdx.y, kv = h / (q.extent(1) / k.extent(1));
    const Index c = threadIdx.x, r = threadIdx.y, i = static_cast<Index>(blockIdx.x) * tile_rows + r;
    for (Index d = c; d < D; d += tile_keys) queries[r * D + d] = i < Lq ? static_cast<float>(q(b, h, i, d)) : 0.0f;
    for (Index d = c; d < Dv; d += tile_keys) sums[r * Dv + d] = 0.0f;
    float max = -CUDART_INF_F, total = 0.0f;
    for (Index first = 0; first < Lk; first += tile_keys) {
        for (Index n = r; n < tile_keys; n += tile_rows) {
            const bool there = first + n < Lk;
            for (Index d = c; d < D; d += tile_keys)
                keys[n * D + d] = there ? static_cast<float>(k(b, kv, first + n, d)) : 0.0f;
            for (Index d = c; d < Dv; d += tile_keys)
                values[n * Dv + d] = there ? static_cast<float>(v(b, kv, first + n, d)) : 0.0f;
        }
        __syncthreads();
        float mine = -CUDART_INF_F;
        if (i < Lq && first + c < Lk && pattern.allows(b, h, i, first + c, Lq, Lk)) {
            float dot = 0.0f;
            for (Index d = 0; d < D; ++d) dot += queries[r * D + d] * keys[c * D + d];
            mine = factor * dot;
        }
        float next = fmaxf(max, mine);
        for (int distance = tile_keys / 2; distance > 0; distance /= 2)
            next = fmaxf(next, __shfl_xor_sync(0xffffffffu, next, distance, tile_keys));
        const bool some = next > -CUDART_INF_F;
        const float keep = some ? expf(max - next) : 1.0f;
        weights[r][c] = some ? expf(mine - next) : 0.0f;
        total = total * keep + weights[r][c];
        __syncthreads();
        for (Index d = c; d < Dv; d += tile_keys) {
            float sum = sums[r * Dv + d] * keep;
            for (Index n = 0; n < tile_keys; ++n)
                if (weights[r][n] > 0.0f) sum += weights[r][n] * values[n * Dv + d];
            sums[r * Dv + d] = sum;
        }
        max = next;
        __syncthreads(); // the next tile takes the same place
    }
    for (int distance = tile_keys / 2; distance > 0; distance /= 2)
        total += __shfl_xor_sync(0xffffffffu, total, distance, tile_keys);
    if (i < Lq)
        for (Index d = c; d < Dv; d += tile_keys) out(b, h, i, d) = Out(total > 0.0f ? sums[r * Dv + d] / total : 0.0f);
}

template <class In, class Out> void attend(device_view<const In, 4> q, device_view<const In, 4> k,
                                           device_view<const In, 4> v, Pattern pattern, optional<float> scale,
                                           device_view<Out, 4> out, cudaStream_t stream) {
    const dim3 grid(blocks_for(q.extent(2), tile_rows), q.extent(1), q.extent(0)), block(tile_keys, tile_rows);
    const std::size_t bytes = (tile_rows + tile_keys) * (q.extent(3) + v.extent(3)) * sizeof(float);
    attention_kernel<<<grid, block, bytes, stream>>>(q, k, v, pattern, factor_of(scale, q.extent(3)), out);
    check(cudaGetLastError());
}

} // namespace rows

#include "functions.cuh"
