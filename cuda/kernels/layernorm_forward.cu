// Layer normalisation of each row, float32.
//
//     nvcc -std=c++20 -O3 -arch=native -c layernorm_forward.cu
//
// version 1: a thread a row, two passes: mean, then the squares of what differs from it.
// version 2: a warp a row, Welford's pairs (count, mean, squares) merged by shuffles (Chan, Golub and LeVeque, 1983).
//            Reads the row twice; E[x^2] - E[x]^2 would cancel.
#include "checked.hpp"
#include "kernels.hpp"

#include <cuda_runtime.h>

namespace assay::kernels {

__global__ void layernorm_forward_kernel1(const float* in, const float* gamma, const float* beta, float* out, int rows,
                                          int columns, float epsilon) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    const float* row = in + static_cast<size_t>(r) * columns;
    float mean = 0.0f, squares = 0.0f;
    for (int j = 0; j < columns; ++j) mean += row[j];
    mean /= columns;
    for (int j = 0; j < columns; ++j) squares += (row[j] - mean) * (row[j] - mean);
    const float scale = 1.0f / sqrtf(squares / columns + epsilon);
    for (int j = 0; j < columns; ++j)
        out[static_cast<size_t>(r) * columns + j] = gamma[j] * ((row[j] - mean) * scale) + beta[j];
}

__global__ void layernorm_forward_kernel2(const float* in, const float* gamma, const float* beta, float* out, int rows,
                                          int columns, float epsilon) {
    const int lane = threadIdx.x % 32, r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (r >= rows) return; // a whole warp
    const float* row = in + static_cast<size_t>(r) * columns;
    float count = 0.0f, mean = 0.0f, squares = 0.0f;
    for (int j = lane; j < columns; j += 32) {
        count += 1.0f;
        const float off = row[j] - mean;
        mean += off / count;
        squares += off * (row[j] - mean);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        const float other_count = __shfl_xor_sync(0xffffffffu, count, offset);
        const float off = __shfl_xor_sync(0xffffffffu, mean, offset) - mean;
        const float other_squares = __shfl_xor_sync(0xffffffffu, squares, offset);
        const float all = count + other_count;
        if (all > 0.0f) {
            mean += off * (other_count / all);
            squares += other_squares + off * off * (count * other_count / all);
        }
        count = all;
    }
    const float scale = 1.0f / sqrtf(squares / columns + epsilon);
    for (int j = lane; j < columns; j += 32)
        out[static_cast<size_t>(r) * columns + j] = gamma[j] * ((row[j] - mean) * scale) + beta[j];
}

void layernorm_forward(int version, const float* in, const float* gamma, const float* beta, float* out, int rows,
                       int columns, float epsilon, cudaStream_t stream) {
    require(version == 1 || version == 2, "layernorm_forward has versions 1 and 2");
    if (rows == 0 || columns == 0) return;
    if (version == 1)
        layernorm_forward_kernel1<<<(rows + 63) / 64, 64, 0, stream>>>(in, gamma, beta, out, rows, columns, epsilon);
    if (version == 2)
        layernorm_forward_kernel2<<<(rows + 3) / 4, 128, 0, stream>>>(in, gamma, beta, out, rows, columns, epsilon);
    checked(cudaGetLastError(), "layernorm_forward");
}

} // namespace assay::kernels
