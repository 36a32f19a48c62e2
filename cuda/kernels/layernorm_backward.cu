// Gradients of layer normalisation, float32. With x^ = (x - mean) r, r = 1 / sqrt(variance + epsilon), g = gamma dy:
//
//     dx = r (g - mean of g - x^ times mean of g x^)      dgamma = sum over rows of dy x^      dbeta = sum of dy
//
//     nvcc -std=c++20 -O3 -arch=native -c layernorm_backward.cu
//
// version 1: dx a block a row, sums by trees in shared memory; dgamma and dbeta a thread a column, row after row.
// version 2: dx a warp a row, sums by shuffles; dgamma and dbeta in two steps, chunks of rows and then the chunks, so
//            that there is work for more than `columns` threads. No atomics: the same bits every time.
#include "checked.hpp"
#include "kernels.hpp"
#include "reduce.cuh"

namespace assay::kernels {

constexpr int threads = 256, chunk = 64; // rows that one thread sums up in version 2

/// One row's mean and r.
struct Moments {
    float mean, scale;
};

__global__ void layernorm_backward_kernel1(const float* in, const float* gamma, const float* dy, float* dx,
                                           Moments* moments, int columns, float epsilon) {
    __shared__ float tree[threads];
    const size_t first = static_cast<size_t>(blockIdx.x) * columns;
    const float n = static_cast<float>(columns);
    float sum = 0.0f;
    for (int j = threadIdx.x; j < columns; j += threads) sum += in[first + j];
    const float mean = block_sum(sum, tree) / n;
    sum = 0.0f;
    for (int j = threadIdx.x; j < columns; j += threads) sum += (in[first + j] - mean) * (in[first + j] - mean);
    const float scale = 1.0f / sqrtf(block_sum(sum, tree) / n + epsilon);
    float sum_g = 0.0f, sum_gx = 0.0f;
    for (int j = threadIdx.x; j < columns; j += threads) {
        const float g = gamma[j] * dy[first + j];
        sum_g += g;
        sum_gx += g * ((in[first + j] - mean) * scale);
    }
    sum_g = block_sum(sum_g, tree) / n;
    sum_gx = block_sum(sum_gx, tree) / n;
    for (int j = threadIdx.x; j < columns; j += threads)
        dx[first + j] = scale * (gamma[j] * dy[first + j] - sum_g - (in[first + j] - mean) * scale * sum_gx);
    if (threadIdx.x == 0) moments[blockIdx.x] = {mean, scale};
}

__global__ void layernorm_backward_kernel2(const float* in, const float* gamma, const float* dy, float* dx,
                                           Moments* moments, int rows, int columns, float epsilon) {
    const int lane = threadIdx.x % 32, r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (r >= rows) return; // a whole warp
    const size_t first = static_cast<size_t>(r) * columns;
    const float n = static_cast<float>(columns);
    float sum = 0.0f, sum_g = 0.0f, sum_gx = 0.0f;
    for (int j = lane; j < columns; j += 32) sum += in[first + j];
    const float mean = warp_sum(sum) / n;
    sum = 0.0f;
    for (int j = lane; j < columns; j += 32) sum += (in[first + j] - mean) * (in[first + j] - mean);
    const float scale = 1.0f / sqrtf(warp_sum(sum) / n + epsilon);
    for (int j = lane; j < columns; j += 32) {
        const float g = gamma[j] * dy[first + j];
        sum_g += g;
        sum_gx += g * ((in[first + j] - mean) * scale);
    }
    sum_g = warp_sum(sum_g) / n;
    sum_gx = warp_sum(sum_gx) / n;
    for (int j = lane; j < columns; j += 32)
        dx[first + j] = scale * (gamma[j] * dy[first + j] - sum_g - (in[first + j] - mean) * scale * sum_gx);
    if (lane == 0) moments[r] = {mean, scale};
}

/// dgamma and dbeta (gridDim.y, columns): each of `count` rows from blockIdx.y * count on.
__global__ void parameters_kernel(const float* in, const float* dy, const Moments* moments, float* dgamma, float* dbeta,
                                  int rows, int columns, int count) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * count;
    if (j >= columns) return;
    float sum_gamma = 0.0f, sum_beta = 0.0f;
    for (int r = first; r < min(rows, first + count); ++r) {
        const size_t at = static_cast<size_t>(r) * columns + j;
        sum_gamma += dy[at] * ((in[at] - moments[r].mean) * moments[r].scale);
        sum_beta += dy[at];
    }
    dgamma[static_cast<size_t>(blockIdx.y) * columns + j] = sum_gamma;
    dbeta[static_cast<size_t>(blockIdx.y) * columns + j] = sum_beta;
}

__global__ void chunks_kernel(const float* gammas, const float* betas, float* dgamma, float* dbeta, int chunks,
                              int columns) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= columns) return;
    float sum_gamma = 0.0f, sum_beta = 0.0f;
    for (int c = 0; c < chunks; ++c) {
        sum_gamma += gammas[static_cast<size_t>(c) * columns + j];
        sum_beta += betas[static_cast<size_t>(c) * columns + j];
    }
    dgamma[j] = sum_gamma;
    dbeta[j] = sum_beta;
}

int chunks_of(int rows) { return (rows + chunk - 1) / chunk; }

std::size_t layernorm_backward_room(int rows, int columns) {
    return 2 * static_cast<std::size_t>(rows) + 2 * static_cast<std::size_t>(chunks_of(rows)) * columns;
}

void layernorm_backward(int version, const float* in, const float* gamma, const float* dy, float* dx, float* dgamma,
                        float* dbeta, float* room, int rows, int columns, float epsilon, cudaStream_t stream) {
    require(version == 1 || version == 2, "layernorm_backward has versions 1 and 2");
    require(chunks_of(rows) <= 65535, "layernorm_backward: a grid has room for 65535 chunks of 64 rows");
    if (columns == 0) return;
    auto* const moments = reinterpret_cast<Moments*>(room);
    const int blocks = (columns + threads - 1) / threads;
    if (version == 1) {
        if (rows > 0)
            layernorm_backward_kernel1<<<rows, threads, 0, stream>>>(in, gamma, dy, dx, moments, columns, epsilon);
        checked(cudaGetLastError(), "layernorm_backward: dx");
        parameters_kernel<<<blocks, threads, 0, stream>>>(in, dy, moments, dgamma, dbeta, rows, columns, rows);
    } else {
        const int chunks = chunks_of(rows);
        float* const gammas = room + 2 * static_cast<std::size_t>(rows);
        float* const betas = gammas + static_cast<std::size_t>(chunks) * columns;
        if (rows > 0) {
            layernorm_backward_kernel2<<<(rows + 3) / 4, 128, 0, stream>>>(in, gamma, dy, dx, moments, rows, columns,
                                                                           epsilon);
            checked(cudaGetLastError(), "layernorm_backward: dx");
            parameters_kernel<<<dim3(blocks, chunks), threads, 0, stream>>>(in, dy, moments, gammas, betas, rows,
                                                                            columns, chunk);
            checked(cudaGetLastError(), "layernorm_backward: chunks of dgamma and dbeta");
        }
        chunks_kernel<<<blocks, threads, 0, stream>>>(gammas, betas, dgamma, dbeta, chunks, columns);
    }
    checked(cudaGetLastError(), "layernorm_backward: dgamma and dbeta");
}

} // namespace assay::kernels
