// Softmax of each row, float32.
//
//     nvcc -std=c++20 -O3 -arch=native -c softmax_forward.cu
//
// version 1: a block a row; maximum and sum by trees in shared memory. Reads the row three times.
// version 2: a warp a row, online: each lane keeps a running maximum and a sum scaled to it (Milakov and Gimelshein,
//            "Online normalizer calculation for softmax", 2018), merged by shuffles. Reads the row twice, no barrier.
#include "checked.hpp"
#include "kernels.hpp"

#include <cuda_runtime.h>
#include <math_constants.h>

namespace assay::kernels {

__global__ void softmax_forward_kernel1(const float* in, float* out, int columns) {
    __shared__ float tree[256];
    const float* row = in + static_cast<size_t>(blockIdx.x) * columns;
    const int t = threadIdx.x;
    float most = -CUDART_INF_F;
    for (int j = t; j < columns; j += blockDim.x) most = fmaxf(most, row[j]);
    tree[t] = most;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride) tree[t] = fmaxf(tree[t], tree[t + stride]);
        __syncthreads();
    }
    most = tree[0];
    __syncthreads(); // everybody has read it before it is written over
    float sum = 0.0f;
    for (int j = t; j < columns; j += blockDim.x) sum += expf(row[j] - most);
    tree[t] = sum;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride) tree[t] += tree[t + stride];
        __syncthreads();
    }
    for (int j = t; j < columns; j += blockDim.x)
        out[static_cast<size_t>(blockIdx.x) * columns + j] = expf(row[j] - most) / tree[0];
}

__global__ void softmax_forward_kernel2(const float* in, float* out, int rows, int columns) {
    const int lane = threadIdx.x % 32, r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (r >= rows) return; // a whole warp
    const float* row = in + static_cast<size_t>(r) * columns;
    float most = -CUDART_INF_F, sum = 0.0f;
    for (int j = lane; j < columns; j += 32) {
        if (row[j] == -CUDART_INF_F) continue; // where nothing came before, -inf would meet itself
        const float next = fmaxf(most, row[j]);
        sum = (most == next ? sum : sum * expf(most - next)) + expf(row[j] - next);
        most = next;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, most, offset),
                    theirs = __shfl_xor_sync(0xffffffffu, sum, offset);
        const float next = fmaxf(most, other);
        // A lane without columns has -inf, which must not meet itself in a difference.
        sum = (most == next ? sum : sum * expf(most - next)) + (other == next ? theirs : theirs * expf(other - next));
        most = next;
    }
    for (int j = lane; j < columns; j += 32) out[static_cast<size_t>(r) * columns + j] = expf(row[j] - most) / sum;
}

void softmax_forward(int version, const float* in, float* out, int rows, int columns, cudaStream_t stream) {
    require(version == 1 || version == 2, "softmax_forward has versions 1 and 2");
    if (rows == 0 || columns == 0) return;
    if (version == 1) softmax_forward_kernel1<<<rows, 256, 0, stream>>>(in, out, columns);
    if (version == 2) softmax_forward_kernel2<<<(rows + 3) / 4, 128, 0, stream>>>(in, out, rows, columns);
    checked(cudaGetLastError(), "softmax_forward");
}

} // namespace assay::kernels
