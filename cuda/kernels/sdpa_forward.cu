// Scaled dot-product attention, float32, heads up to 256 wide.
//
//     nvcc -std=c++20 -O3 -arch=native -c sdpa_forward.cu
//
// version 1: naive. A block a query row, a thread a key; the row's scores are computed twice, for their maximum and for
//            the weights, which then meet v a thread a column.
// version 2: blockwise. A block takes a tile of query rows and walks over the keys tile by tile in shared memory; eight
//            threads a row keep its running maximum, sum and output (Dao et al., "FlashAttention", 2022, algorithm 1).
#include "sdpa.cuh"

#include <math_constants.h>

namespace assay::kernels {

constexpr int threads = 128;

__global__ void sdpa_forward_kernel1(Sdpa<float> problem, View<float> output, float* lse) {
    __shared__ float query[widest], weights[threads], tree[threads];
    const SdpaShape s = problem.shape;
    const int i = blockIdx.x, h = blockIdx.y, b = blockIdx.z, kv = h / (s.q_heads / s.kv_heads), t = threadIdx.x;
    const Rows<const float> q(problem.q, b, h), k(problem.k, b, kv), v(problem.v, b, kv);
    const Rows<float> out(output, b, h);
    const Allowed allowed(problem, b, h);
    const int end = allowed.end(i);
    for (int c = t; c < s.d; c += threads) query[c] = q(i, c);
    __syncthreads();
    const auto score = [&](int j) {
        float sum = 0.0f;
        for (int c = 0; c < s.d; ++c) sum += query[c] * k(j, c);
        return problem.scale * sum;
    };

    float most = -CUDART_INF_F;
    for (int j = t; j < end; j += threads)
        if (allowed(i, j)) most = fmaxf(most, score(j));
    tree[t] = most;
    __syncthreads();
    for (int stride = threads / 2; stride > 0; stride /= 2) {
        if (t < stride) tree[t] = fmaxf(tree[t], tree[t + stride]);
        __syncthreads();
    }
    most = tree[0];
    __syncthreads(); // everybody has read it before it is written over

    float sum = 0.0f, mine[widest / threads] = {};
    for (int first = 0; first < end; first += threads) {
        weights[t] = allowed(i, first + t) ? expf(score(first + t) - most) : 0.0f;
        sum += weights[t];
        __syncthreads();
        for (int j = 0; j < min(threads, end - first); ++j) {
            if (weights[j] == 0.0f) continue; // what may not be attended may hold NaN
            for (int e = 0; e < widest / threads; ++e)
                if (t + e * threads < s.dv) mine[e] += weights[j] * v(first + j, t + e * threads);
        }
        __syncthreads();
    }
    tree[t] = sum;
    __syncthreads();
    for (int stride = threads / 2; stride > 0; stride /= 2) {
        if (t < stride) tree[t] += tree[t + stride];
        __syncthreads();
    }
    const bool any = tree[0] != 0.0f;
    for (int e = 0; e < widest / threads; ++e)
        if (t + e * threads < s.dv) out(i, t + e * threads) = any ? mine[e] / tree[0] : 0.0f;
    if (t == 0 && lse != nullptr)
        lse[(static_cast<size_t>(b) * s.q_heads + h) * s.lq + i] = any ? most + logf(tree[0]) : -CUDART_INF_F;
}

constexpr int lanes = 8; // threads a row

template <int width, int tile> __global__ void __launch_bounds__(tile* lanes)
    sdpa_forward_kernel2(Sdpa<float> problem, View<float> output, float* lse) {
    __shared__ float queries[tile][width + 1], staged[tile][width + 1], weights[tile][tile + 1];
    const SdpaShape s = problem.shape;
    const int first_row = blockIdx.x * tile, r = threadIdx.x / lanes, lane = threadIdx.x % lanes, i = first_row + r;
    const int h = blockIdx.y, b = blockIdx.z, kv = h / (s.q_heads / s.kv_heads);
    const Rows<const float> q(problem.q, b, h), k(problem.k, b, kv), v(problem.v, b, kv);
    const Rows<float> out(output, b, h);
    const Allowed allowed(problem, b, h);
    const int end = allowed.end(min(s.lq, first_row + tile) - 1); // of the block: all must come to the barriers
    stage<tile, width>(queries, q, first_row, s.lq, s.d);
    float sums[width / lanes] = {}, most = -CUDART_INF_F, sum = 0.0f;
    for (int first = 0; first < end; first += tile) {
        __syncthreads(); // the values of the tile before have been read
        stage<tile, width>(staged, k, first, s.lk, s.d);
        __syncthreads();
        float scores[tile / lanes], next = most;
        for (int e = 0; e < tile / lanes; ++e) {
            const int j = lane + e * lanes;
            scores[e] = -CUDART_INF_F;
            if (i < s.lq && allowed(i, first + j)) scores[e] = problem.scale * dot(queries[r], staged[j], s.d);
            next = fmaxf(next, scores[e]);
        }
        for (int offset = lanes / 2; offset > 0; offset /= 2) next = fmaxf(next, __shfl_xor_sync(~0u, next, offset));
        for (int e = 0; e < tile / lanes; ++e) // without any key so far all are -inf, which must not meet itself
            weights[r][lane + e * lanes] = scores[e] == -CUDART_INF_F ? 0.0f : expf(scores[e] - next);
        const float shrink = most == next ? 1.0f : expf(most - next);
        most = next;
        __syncthreads(); // the keys have been read
        stage<tile, width>(staged, v, first, s.lk, s.dv);
        __syncthreads();
        sum *= shrink;
        for (float& one : sums) one *= shrink;
        for (int j = 0; j < tile; ++j) {
            const float weight = weights[r][j];
            if (weight == 0.0f) continue; // what may not be attended may hold NaN
            sum += weight;
            for (int e = 0; e < width / lanes; ++e) sums[e] += weight * staged[j][lane + e * lanes];
        }
    }
    if (i >= s.lq) return;
    for (int e = 0; e < width / lanes; ++e)
        if (lane + e * lanes < s.dv) out(i, lane + e * lanes) = sum != 0.0f ? sums[e] / sum : 0.0f;
    if (lane == 0 && lse != nullptr)
        lse[(static_cast<size_t>(b) * s.q_heads + h) * s.lq + i] = sum != 0.0f ? most + logf(sum) : -CUDART_INF_F;
}

template <int width, int tile>
void launch2(const Sdpa<float>& problem, View<float> out, float* lse, cudaStream_t stream) {
    const SdpaShape& s = problem.shape;
    const dim3 grid((s.lq + tile - 1) / tile, s.q_heads, s.batch);
    sdpa_forward_kernel2<width, tile><<<grid, tile * lanes, 0, stream>>>(problem, out, lse);
}

void sdpa_forward(int version, const Sdpa<float>& problem, View<float> out, float* lse, cudaStream_t stream) {
    require(version == 1 || version == 2, "sdpa_forward has versions 1 and 2");
    if (!anything(problem)) return;
    const SdpaShape& s = problem.shape;
    const int width = max(s.d, s.dv);
    if (version == 1)
        sdpa_forward_kernel1<<<dim3(s.lq, s.q_heads, s.batch), threads, 0, stream>>>(problem, out, lse);
    else if (width <= 64)
        launch2<64, 32>(problem, out, lse, stream);
    else if (width <= 128)
        launch2<128, 32>(problem, out, lse, stream);
    else
        launch2<256, 16>(problem, out, lse, stream);
    checked(cudaGetLastError(), "sdpa_forward");
}

} // namespace assay::kernels
