// Scaled dot-product attention, float32, head width 64.
//
//     nvcc -O3 -arch=native -c sdpa_forward.cu
//
// version 1: naive. A block a query row; the row's scores lie in dynamic shared memory, a thread a key, then a thread a
//            column of the output.
// version 2: blockwise. A block takes 32 query rows and walks over the keys in tiles of 32 that lie in shared memory; a
//            thread a row keeps its running maximum, sum and output (Dao et al., "FlashAttention", 2022, algorithm 1).
#include "kernels.hpp"

#include <cuda_runtime.h>
#include <math_constants.h>

constexpr int width = 64, threads = 64, tile = 32;

__global__ void sdpa_forward_kernel1(const float* q, const float* k, const float* v, float* out, int lq, int lk,
                                     float scale, bool causal) {
    extern __shared__ float scores[];
    __shared__ float query[width]; // 256 bytes of the 48 KiB
    const int i = blockIdx.x, t = threadIdx.x;
    const size_t head = blockIdx.y;
    const int allowed = causal ? min(lk, max(0, i + lk - lq + 1)) : lk;
    query[t] = q[(head * lq + i) * width + t];
    __syncthreads();
    for (int j = t; j < allowed; j += threads) {
        float dot = 0.0f;
        for (int d = 0; d < width; ++d) dot += query[d] * k[(head * lk + j) * width + d];
        scores[j] = scale * dot;
    }
    __syncthreads();
    float most = -CUDART_INF_F, sum = 0.0f, mine = 0.0f;
    for (int j = 0; j < allowed; ++j) most = fmaxf(most, scores[j]);
    for (int j = 0; j < allowed; ++j) {
        const float p = expf(scores[j] - most);
        sum += p;
        mine += p * v[(head * lk + j) * width + t];
    }
    out[(head * lq + i) * width + t] = allowed > 0 ? mine / sum : 0.0f;
}

__global__ void sdpa_forward_kernel2(const float* q, const float* k, const float* v, float* out, int lq, int lk,
                                     float scale, bool causal) {
    __shared__ float keys[tile][width], values[tile][width];
    const int i = blockIdx.x * tile + threadIdx.x, last_row = min(lq, (static_cast<int>(blockIdx.x) + 1) * tile) - 1;
    const size_t head = blockIdx.y;
    const int allowed = causal ? min(lk, max(0, i + lk - lq + 1)) : lk;
    const int most_allowed = causal ? min(lk, max(0, last_row + lk - lq + 1)) : lk; // of the block: all must come to the barriers
    float query[width], sums[width], most = -CUDART_INF_F, sum = 0.0f;
    for (int d = 0; d < width; ++d) {
        query[d] = i < lq ? q[(head * lq + i) * width + d] : 0.0f;
        sums[d] = 0.0f;
    }
    for (int first = 0; first < most_allowed; first += tile) {
        for (int e = threadIdx.x; e < tile * width; e += tile) {
            const int j = first + e / width;
            keys[e / width][e % width] = j < lk ? k[(head * lk + j) * width + e % width] : 0.0f;
            values[e / width][e % width] = j < lk ? v[(head * lk + j) * width + e % width] : 0.0f;
        }
        __syncthreads();
        for (int j = 0; j < tile && first + j < allowed; ++j) {
            float dot = 0.0f;
            for (int d = 0; d < width; ++d) dot += query[d] * keys[j][d];
            const float score = scale * dot, next = fmaxf(most, score);
            const float shrink = most == next ? 1.0f : expf(most - next), p = expf(score - next);
            sum = sum * shrink + p;
            for (int d = 0; d < width; ++d) sums[d] = sums[d] * shrink + p * values[j][d];
            most = next;
        }
        __syncthreads();
    }
    if (i < lq)
        for (int d = 0; d < width; ++d) out[(head * lq + i) * width + d] = allowed > 0 ? sums[d] / sum : 0.0f;
}

void sdpa_forward(int version, const float* q, const float* k, const float* v, float* out, int heads, int lq, int lk,
                  float scale, bool causal) {
    if (version == 1)
        sdpa_forward_kernel1<<<dim3(lq, heads), threads, lk * sizeof(float)>>>(q, k, v, out, lq, lk, scale, causal);
    if (version == 2)
        sdpa_forward_kernel2<<<dim3((lq + tile - 1) / tile, heads), tile>>>(q, k, v, out, lq, lk, scale, causal);
}
