// Sums over a block and over a warp, always in the same order.
#ifndef ASSAY_CUDA_KERNELS_REDUCE_CUH
#define ASSAY_CUDA_KERNELS_REDUCE_CUH

#include <cuda_runtime.h>

namespace assay::kernels {

/// Every lane gets the sum of all 32.
__device__ inline float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

/// Every thread gets the sum of all; `tree` holds one float a thread, whose number is a power of two. May be called
/// again at once.
__device__ inline float block_sum(float value, float* tree) {
    tree[threadIdx.x] = value;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) tree[threadIdx.x] += tree[threadIdx.x + stride];
        __syncthreads();
    }
    value = tree[0];
    __syncthreads(); // everybody has read it before it is written over
    return value;
}

} // namespace assay::kernels

#endif
