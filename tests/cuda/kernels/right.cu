// Right kernels, each a classic: the same file is compiled by nvcc, and run by the emulation.
#include "right.hpp"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <math_constants.h>

namespace cg = cooperative_groups;

#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))

// Tree reduction in shared memory, one partial sum a block added atomically.
template <int threads> __global__ void sum_tree_kernel(const float* in, float* out, int n) {
    __shared__ float partial[threads];
    const int t = threadIdx.x, i = blockIdx.x * threads + t;
    partial[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int stride = threads / 2; stride > 0; stride /= 2) {
        if (t < stride) partial[t] += partial[t + stride];
        __syncthreads();
    }
    if (t == 0) atomicAdd(out, partial[0]);
}
void sum_tree(const float* in, float* out, int n) {
    cudaMemset(out, 0, sizeof *out);
    sum_tree_kernel<128><<<CEIL_DIV(n, 128), 128>>>(in, out, n);
}

__device__ __forceinline__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_down_sync(0xffffffffu, value, offset);
    return value;
}
// Shuffles within warps, shared memory between them.
__device__ float block_sum(float value) {
    __shared__ float sums[32];
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize, warps = blockDim.x / warpSize;
    value = warp_sum(value);
    if (lane == 0) sums[warp] = value;
    __syncthreads();
    value = threadIdx.x < warps ? sums[lane] : 0.0f;
    if (warp == 0) value = warp_sum(value);
    return value;
}
__global__ void __launch_bounds__(256) sum_shuffle_kernel(const float* __restrict__ in, float* __restrict__ out, int n) {
    float value = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) value += __ldg(in + i);
    value = block_sum(value);
    if (threadIdx.x == 0) atomicAdd(out, value);
}
void sum_shuffle(const float* in, float* out, int n) {
    cudaMemset(out, 0, sizeof *out);
    sum_shuffle_kernel<<<3, 256>>>(in, out, n);
}

__global__ void sum_tiles_kernel(const float* in, float* out, int n) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto quarter = cg::tiled_partition<8>(warp);
    __shared__ float sums[4];
    if (block.thread_rank() < 4) sums[block.thread_rank()] = 0.0f;
    block.sync();
    float value = 0.0f;
    for (int i = block.thread_rank(); i < n; i += block.size()) value += in[i];
    value = cg::reduce(quarter, value, cg::plus<float>());
    if (quarter.thread_rank() == 0) atomicAdd(&sums[warp.meta_group_rank()], value);
    cg::sync(block);
    if (warp.meta_group_rank() == 0) {
        float total = warp.thread_rank() < 4 ? sums[warp.thread_rank()] : 0.0f;
        for (int distance = 2; distance > 0; distance /= 2) total += warp.shfl_xor(total, distance);
        if (warp.thread_rank() == 0) *out = total;
    }
}
void sum_tiles(const float* in, float* out, int n) { sum_tiles_kernel<<<1, 128>>>(in, out, n); }

// Inclusive scan of one block (Hillis and Steele), two buffers in dynamic shared memory.
__global__ void scan_kernel(const int* in, int* out, int n) {
    extern __shared__ int buffers[];
    int *from = buffers, *to = buffers + blockDim.x;
    const int t = threadIdx.x;
    from[t] = t < n ? in[t] : 0;
    __syncthreads();
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        to[t] = from[t] + (t >= distance ? from[t - distance] : 0);
        __syncthreads();
        int* swap = from;
        from = to;
        to = swap;
    }
    if (t < n) out[t] = from[t];
}
void scan(const int* in, int* out, int n) {
    const int threads = CEIL_DIV(n, 32) * 32;
    scan_kernel<<<1, threads, 2 * threads * sizeof(int)>>>(in, out, n);
}

template <class T, int tile> __global__ void matmul_kernel(const T* a, const T* b, T* c, int m, int n, int k) {
    __shared__ T as[tile][tile], bs[tile][tile + 1];
    const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
    T sum = 0;
    for (int first = 0; first < k; first += tile) {
        const int ka = first + threadIdx.x, kb = first + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = row < m && ka < k ? a[row * k + ka] : T(0);
        bs[threadIdx.y][threadIdx.x] = kb < k && column < n ? b[kb * n + column] : T(0);
        __syncthreads();
        for (int l = 0; l < tile; ++l) sum += as[threadIdx.y][l] * bs[l][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}
void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    constexpr int tile = 16;
    const dim3 grid(CEIL_DIV(n, tile), CEIL_DIV(m, tile)), block(tile, tile);
    matmul_kernel<float, tile><<<grid, block>>>(a, b, c, m, n, k);
}

// One warp a row, three passes.
__global__ void softmax_kernel(const float* in, float* out, int columns) {
    const float* row = in + blockIdx.x * columns;
    float most = -CUDART_INF_F;
    for (int j = threadIdx.x; j < columns; j += 32) most = fmaxf(most, row[j]);
    for (int offset = 16; offset > 0; offset /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, offset));
    float sum = 0.0f;
    for (int j = threadIdx.x; j < columns; j += 32) sum += __expf(row[j] - most);
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    for (int j = threadIdx.x; j < columns; j += 32) out[blockIdx.x * columns + j] = __expf(row[j] - most) / sum;
}
void softmax(const float* in, float* out, int rows, int columns) { softmax_kernel<<<rows, 32>>>(in, out, columns); }

// Warp votes: stable compaction of the positive numbers, a block of up to 1024.
__global__ void compact_kernel(const int* in, int* out, int* count, int n) {
    __shared__ int before[33];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const bool keep = t < n && in[t] > 0;
    const unsigned kept = __ballot_sync(0xffffffffu, keep);
    if (lane == 0) before[warp + 1] = __popc(kept);
    if (t == 0) before[0] = 0;
    __syncthreads();
    if (t == 0)
        for (int w = 0; w < blockDim.x / 32; ++w) before[w + 1] += before[w];
    const int all = __syncthreads_count(keep);
    if (keep) out[before[warp] + __popc(kept & ((1u << lane) - 1u))] = in[t];
    if (t == 0) *count = all;
}
void compact(const int* in, int* out, int* count, int n) { compact_kernel<<<1, CEIL_DIV(n, 32) * 32>>>(in, out, count, n); }

// A lock that threads of one warp fight for, and a histogram by atomics.
__device__ int lock_word;
__global__ void histogram_kernel(const int* in, int* bins, int* longest, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int mine = atomicAdd(&bins[in[i]], 1) + 1;
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock_word, 0, 1) == 0) {
            __threadfence();
            if (mine > *longest) *longest = mine;
            __threadfence();
            atomicExch(&lock_word, 0);
            done = true;
        }
    }
}
void histogram(const int* in, int* bins, int* longest, int n) { histogram_kernel<<<CEIL_DIV(n, 64), 64>>>(in, bins, longest, n); }

__constant__ float taps[3];
__global__ void filter_kernel(const float4* in, float* out, int n) {
    extern __shared__ __align__(16) unsigned char raw[];
    float* line = reinterpret_cast<float*>(raw);
    const int t = threadIdx.x;
    if (t < n / 4) {
        const float4 four = in[t];
        line[4 * t] = four.x, line[4 * t + 1] = four.y, line[4 * t + 2] = four.z, line[4 * t + 3] = four.w;
    }
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x) {
        const float left = i > 0 ? line[i - 1] : 0.0f, right = i + 1 < n ? line[i + 1] : 0.0f;
        out[i] = taps[0] * left + taps[1] * line[i] + taps[2] * right;
    }
}
int filter(const float* in, float* out, int n, const float weights[3]) {
    cudaMemcpyToSymbol(taps, weights, sizeof taps);
    const int bytes = n * sizeof(float);
    cudaFuncSetAttribute(filter_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    filter_kernel<<<1, CEIL_DIV(n, 4), bytes>>>(reinterpret_cast<const float4*>(in), out, n);
    return cudaGetLastError();
}
