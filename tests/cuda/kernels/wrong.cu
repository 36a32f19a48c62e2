// Wrong kernels, each with one mistake that CUDA's compiler takes. The tests know the lines by their marks.
#include "wrong.hpp"

#include <cuda_runtime.h>

// Lane order tells: the barrier between two steps is missing.
__global__ void missing_barrier_kernel(const float* in, float* out) {
    __shared__ float partial[64];
    const int t = threadIdx.x;
    partial[t] = in[t];
    __syncthreads();
    for (int stride = 32; stride > 0; stride /= 2)
        if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
    if (t == 0) *out = partial[0];
}
void missing_barrier(const float* in, float* out) { missing_barrier_kernel<<<1, 64>>>(in, out); }

__global__ void divergent_barrier_kernel(float* out) {
    __shared__ float halves[2];
    if (threadIdx.x < 32) {
        halves[0] = 1.0f;
        __syncthreads(); // mark: first branch
    } else {
        halves[1] = 2.0f;
        __syncthreads(); // mark: second branch
    }
    out[threadIdx.x] = halves[0] + halves[1];
}
void divergent_barrier(float* out) { divergent_barrier_kernel<<<1, 64>>>(out); }

__global__ void unwritten_shared_kernel(const float* in, float* out, int n) {
    __shared__ float line[32];
    if (threadIdx.x < n) line[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = 2.0f * line[threadIdx.x];
}
void unwritten_shared(const float* in, float* out, int n) { unwritten_shared_kernel<<<1, 32>>>(in, out, n); }

__global__ void inactive_lane_kernel(const float* in, float* out) {
    if (threadIdx.x < 16) {
        const float value = in[threadIdx.x];
        out[threadIdx.x] = value + __shfl_down_sync(0x0000ffffu, value, 8); // mark: reads lanes 16 to 23
    }
}
void inactive_lane(const float* in, float* out) { inactive_lane_kernel<<<1, 32>>>(in, out); }

__global__ void missing_lane_kernel(const float* in, float* out) {
    float value = in[threadIdx.x];
    if (threadIdx.x < 16) value += __shfl_down_sync(0xffffffffu, value, 8); // mark: half a warp calls
    __syncthreads();                                                        // mark: the other half waits
    out[threadIdx.x] = value;
}
void missing_lane(const float* in, float* out) { missing_lane_kernel<<<1, 32>>>(in, out); }

__global__ void own_mask_kernel(float* out) {
    out[threadIdx.x] = __shfl_sync(0x0000ffffu, 1.0f, 0); // mark: lanes 16 and up are not in the mask
}
void own_mask(float* out) { own_mask_kernel<<<1, 32>>>(out); }

__global__ void dynamic_overrun_kernel(float* out) {
    extern __shared__ float line[];
    line[threadIdx.x] = 1.0f; // mark: the last is outside
    __syncthreads();
    out[threadIdx.x] = line[threadIdx.x];
}
void dynamic_overrun(float* out) { dynamic_overrun_kernel<<<1, 32, 31 * sizeof(float)>>>(out); }

__global__ void static_overrun_kernel(float* out, int n) {
    __shared__ float line[32];
    for (int i = threadIdx.x; i <= n; i += 32) line[i] = 1.0f; // mark: one too many
    __syncthreads();
    out[threadIdx.x] = line[threadIdx.x];
}
void static_overrun(float* out) { static_overrun_kernel<<<1, 32>>>(out, 32); }

__device__ int arrived;
__global__ void waits_for_blocks_kernel() {
    if (threadIdx.x == 0) atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < gridDim.x) { // mark: spins
    }
}
void waits_for_blocks() { waits_for_blocks_kernel<<<2, 32>>>(); }

__global__ void trap_kernel(int n) {
    if (threadIdx.x == n) __trap(); // mark: trap
}
void traps() { trap_kernel<<<1, 32>>>(3); }

// The last block to come writes what it alone saw: blocks have no order.
__global__ void block_order_kernel(int* out) {
    if (threadIdx.x == 0) *out = blockIdx.x;
}
void block_order(int* out) { block_order_kernel<<<7, 32>>>(out); }
