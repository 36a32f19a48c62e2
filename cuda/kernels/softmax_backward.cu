// Gradient of softmax by rows, float32: dx = y (dy - sum of y dy).
//
//     nvcc -std=c++20 -O3 -arch=native -c softmax_backward.cu
//
// version 1: a block a row, the sum by a tree in shared memory.
// version 2: a warp a row, the sum by shuffles; no barrier.
#include "checked.hpp"
#include "kernels.hpp"
#include "reduce.cuh"

namespace assay::kernels {

__global__ void softmax_backward_kernel1(const float* y, const float* dy, float* dx, int columns) {
    __shared__ float tree[256];
    const size_t first = static_cast<size_t>(blockIdx.x) * columns;
    float sum = 0.0f;
    for (int j = threadIdx.x; j < columns; j += blockDim.x) sum += y[first + j] * dy[first + j];
    sum = block_sum(sum, tree);
    for (int j = threadIdx.x; j < columns; j += blockDim.x) dx[first + j] = y[first + j] * (dy[first + j] - sum);
}

__global__ void softmax_backward_kernel2(const float* y, const float* dy, float* dx, int rows, int columns) {
    const int lane = threadIdx.x % 32, r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (r >= rows) return; // a whole warp
    const size_t first = static_cast<size_t>(r) * columns;
    float sum = 0.0f;
    for (int j = lane; j < columns; j += 32) sum += y[first + j] * dy[first + j];
    sum = warp_sum(sum);
    for (int j = lane; j < columns; j += 32) dx[first + j] = y[first + j] * (dy[first + j] - sum);
}

void softmax_backward(int version, const float* y, const float* dy, float* dx, int rows, int columns,
                      cudaStream_t stream) {
    require(version == 1 || version == 2, "softmax_backward has versions 1 and 2");
    if (rows == 0 || columns == 0) return;
    if (version == 1) softmax_backward_kernel1<<<rows, 256, 0, stream>>>(y, dy, dx, columns);
    if (version == 2) softmax_backward_kernel2<<<(rows + 3) / 4, 128, 0, stream>>>(y, dy, dx, rows, columns);
    checked(cudaGetLastError(), "softmax_backward");
}

} // namespace assay::kernels
