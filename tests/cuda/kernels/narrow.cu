// Right kernels in 16-bit floats, tensor cores among them.
#include "right.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void half_axpy_kernel(const __half* x, __half* y, __half a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i + 1 < n) {
        const __half2 pair = reinterpret_cast<const __half2*>(x)[i];
        __half2* to = reinterpret_cast<__half2*>(y) + i;
        *to = __hfma2(__half2half2(a), pair, *to);
    } else if (2 * i < n) {
        y[2 * i] = __hfma(a, x[2 * i], y[2 * i]);
    }
}
void half_axpy(const unsigned short* x, unsigned short* y, float a, int n) {
    half_axpy_kernel<<<(n + 127) / 128, 64>>>(reinterpret_cast<const __half*>(x), reinterpret_cast<__half*>(y),
                                              __float2half(a), n);
}

__global__ void bfloat16_sum_kernel(const __nv_bfloat16* in, float* out, int n) {
    __shared__ float warps[32];
    float value = threadIdx.x < n ? __bfloat162float(in[threadIdx.x]) : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int w = 0; w < blockDim.x / 32; ++w) sum += warps[w];
        *out = sum;
    }
}
void bfloat16_sum(const unsigned short* in, float* out, int n) {
    bfloat16_sum_kernel<<<1, (n + 31) / 32 * 32>>>(reinterpret_cast<const __nv_bfloat16*>(in), out, n);
}

// One warp a tile of 16 columns; the factor is staged in shared memory.
__global__ void wmma_kernel(const __half* a, const __half* b, float* c, int n, int k) {
    __shared__ __align__(32) __half staged[16 * 16];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int first = 0; first < k; first += 16) {
        for (int i = threadIdx.x; i < 256; i += 32) staged[i] = b[(first + i / 16) * n + blockIdx.x * 16 + i % 16];
        __syncwarp();
        wmma::load_matrix_sync(left, a + first, k);
        wmma::load_matrix_sync(right, staged, 16);
        wmma::mma_sync(sum, left, right, sum);
        __syncwarp();
    }
    for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= 0.5f;
    wmma::store_matrix_sync(c + blockIdx.x * 16, sum, n, wmma::mem_row_major);
}
void wmma_half(const unsigned short* a, const unsigned short* b, float* c, int n, int k) {
    wmma_kernel<<<n / 16, 32>>>(reinterpret_cast<const __half*>(a), reinterpret_cast<const __half*>(b), c, n, k);
}
