// Scaled dot-product attention from float16 or bfloat16 storage, heads up to 256 wide.
//
//     nvcc -std=c++20 -O3 -arch=native -c sdpa_forward_16.cu
//
// version 1: blockwise on tensor cores (WMMA), float32 sums. A block takes 64 query rows, a warp 16 of them, and walks
//            over the keys tile by tile. Scores go through shared memory, where two lanes a row make weights of them;
//            the output stays in fragments. Which row an element of a fragment belongs to is not specified, so that
//            the rows' factors are loaded as a fragment too: their elements lie alike.
#include "sdpa.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>
#include <mma.h>

#include <type_traits>

namespace assay::kernels {

namespace wmma = nvcuda::wmma;

constexpr int warps = 4, rows = 16 * warps, threads = 32 * warps;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <class T> constexpr bool has_products = std::is_same_v<T, __half>;
#else
template <class T> constexpr bool has_products = true;
#endif

template <int width> constexpr int lead_of = width + 8; // 16 bytes more: rows begin in different banks
template <int keys> constexpr int score_lead = keys + 4;

/// Copies rows of a head to shared memory, eight columns at a time where they lie side by side; zeros elsewhere.
template <int width, class T>
__device__ void stage16(T* to, int count, const Rows<const T>& from, int first, int length, int columns) {
    const bool wide = from.column == 1 && from.row % 8 == 0 && reinterpret_cast<size_t>(from.data) % 16 == 0;
    for (int e = threadIdx.x; e < count * (width / 8); e += threads) {
        const int r = e / (width / 8), c = e % (width / 8) * 8;
        T* const eight = to + r * lead_of<width> + c;
        if (wide && first + r < length && c + 8 <= columns) {
            *reinterpret_cast<uint4*>(eight) = *reinterpret_cast<const uint4*>(&from(first + r, c));
            continue;
        }
        for (int n = 0; n < 8; ++n) eight[n] = first + r < length && c + n < columns ? from(first + r, c + n) : T(0.0f);
    }
}

/// Where the result goes: the one whose data is not null. (A kernel for each would double their number.)
template <class T> struct Output {
    View<float> wide;
    View<T> stored;
};

template <class T, int width, int keys> __global__ void __launch_bounds__(threads)
    sdpa_forward_16_kernel1(Sdpa<T> problem, Output<T> output) {
    if constexpr (!has_products<T>) {
        __trap();
    } else {
        using Left = wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major>;
        using Right = wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::row_major>;
        using Transposed = wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::col_major>;
        using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;
        constexpr int lead = lead_of<width>, slead = score_lead<keys>, wlead = keys + 8;
        extern __shared__ __align__(32) unsigned char memory[];
        T* const queries = reinterpret_cast<T*>(memory); // (rows, lead)
        T* const staged_k = queries + rows * lead;       // (keys, lead)
        T* const staged_v = staged_k + keys * lead;      // (keys, lead)
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = lane / 2, half = lane % 2;
        float* const scores = reinterpret_cast<float*>(staged_v + keys * lead) + warp * 16 * slead; // (16, slead)
        T* const weights = reinterpret_cast<T*>(scores); // (16, wlead), once the scores are in registers
        float* const factors = scores + 16 * wlead / 2;  // (16, 16) behind them

        const SdpaShape s = problem.shape;
        const int h = blockIdx.y, b = blockIdx.z, kv = h / (s.q_heads / s.kv_heads);
        const int first_row = blockIdx.x * rows, i = first_row + warp * 16 + row;
        const Rows<const T> q(problem.q, b, h), k(problem.k, b, kv), v(problem.v, b, kv);
        const Rows<float> wide(output.wide, b, h);
        const Rows<T> stored(output.stored, b, h);
        const Allowed allowed(problem, b, h);
        const int end = allowed.end(min(s.lq, first_row + rows) - 1); // of the block: all must come to the barriers
        stage16<width>(queries, rows, q, first_row, s.lq, s.d);
        Sum sums[width / 16];
        for (Sum& one : sums) wmma::fill_fragment(one, 0.0f);
        float most = -CUDART_INF_F, sum = 0.0f;
        for (int first = 0; first < end; first += keys) {
            __syncthreads(); // the tile before has been read
            stage16<width>(staged_k, keys, k, first, s.lk, s.d);
            stage16<width>(staged_v, keys, v, first, s.lk, s.dv);
            __syncthreads();

            Sum products[keys / 16];
            for (Sum& one : products) wmma::fill_fragment(one, 0.0f);
            for (int c = 0; c < s.d; c += 16) {
                Left left;
                wmma::load_matrix_sync(left, queries + warp * 16 * lead + c, lead);
#pragma unroll
                for (int n = 0; n < keys / 16; ++n) {
                    Transposed right;
                    wmma::load_matrix_sync(right, staged_k + n * 16 * lead + c, lead);
                    wmma::mma_sync(products[n], left, right, products[n]);
                }
            }
#pragma unroll
            for (int n = 0; n < keys / 16; ++n)
                wmma::store_matrix_sync(scores + n * 16, products[n], slead, wmma::mem_row_major);
            __syncwarp();

            float mine[keys / 2], next = most; // every other key of the row
#pragma unroll
            for (int e = 0; e < keys / 2; ++e) {
                const int j = 2 * e + half;
                mine[e] = i < s.lq && allowed(i, first + j) ? problem.scale * scores[row * slead + j] : -CUDART_INF_F;
                next = fmaxf(next, mine[e]);
            }
            next = fmaxf(next, __shfl_xor_sync(~0u, next, 1));
            const float shrink = most == next ? 1.0f : __expf(most - next);
            most = next;
            sum *= shrink;
            __syncwarp(); // all scores are in registers
#pragma unroll
            for (int e = 0; e < keys / 2; ++e) {
                const T weight = mine[e] == -CUDART_INF_F ? T(0.0f) : T(__expf(mine[e] - next));
                sum += static_cast<float>(weight); // as it will count: weights then add up to 1
                weights[row * wlead + 2 * e + half] = weight;
            }
            for (int c = 0; c < 8; ++c) factors[row * 16 + half * 8 + c] = shrink;
            __syncwarp();
            if (__any_sync(~0u, shrink != 1.0f)) {
                Sum factor;
                wmma::load_matrix_sync(factor, factors, 16, wmma::mem_row_major);
                for (Sum& one : sums)
                    for (int e = 0; e < one.num_elements; ++e) one.x[e] *= factor.x[e];
            }
            for (int j = 0; j < keys; j += 16) {
                Left left;
                wmma::load_matrix_sync(left, weights + j, wlead);
#pragma unroll
                for (int n = 0; n < width / 16; ++n) {
                    if (n * 16 >= s.dv) continue;
                    Right right;
                    wmma::load_matrix_sync(right, staged_v + j * lead + n * 16, lead);
                    wmma::mma_sync(sums[n], left, right, sums[n]);
                }
            }
        }
        sum += __shfl_xor_sync(~0u, sum, 1);
#pragma unroll
        for (int n = 0; n < width / 16; ++n) {
            if (n * 16 >= s.dv) continue;
            __syncwarp(); // the block of columns before has been read
            wmma::store_matrix_sync(factors, sums[n], 16, wmma::mem_row_major);
            __syncwarp();
            for (int e = 0; e < 8; ++e) {
                const int c = n * 16 + 2 * e + half;
                if (i >= s.lq || c >= s.dv) continue;
                const float value = sum != 0.0f ? factors[row * 16 + 2 * e + half] / sum : 0.0f;
                if (output.wide.data != nullptr)
                    wide(i, c) = value;
                else
                    stored(i, c) = T(value);
            }
        }
    }
}

template <class T, int width, int keys>
void launch1(const Sdpa<T>& problem, const Output<T>& out, cudaStream_t stream) {
    const auto kernel = sdpa_forward_16_kernel1<T, width, keys>;
    constexpr int lead = lead_of<width>, slead = score_lead<keys>;
    constexpr size_t bytes = lead * (rows + 2 * keys) * sizeof(__half) + slead * rows * sizeof(float);
    if (bytes > 48 * 1024)
        checked(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
                "sdpa_forward_16: more shared memory for a block");
    const SdpaShape& s = problem.shape;
    kernel<<<dim3((s.lq + rows - 1) / rows, s.q_heads, s.batch), threads, bytes, stream>>>(problem, out);
    checked(cudaGetLastError(), "sdpa_forward_16");
}

template <class To, class From> View<To> as(const View<From>& view) {
    return {reinterpret_cast<To*>(view.data), view.batch, view.head, view.row, view.column};
}

template <class T> void forward(const Sdpa<std::uint16_t>& bits, const Output<T>& out, cudaStream_t stream) {
    const Sdpa<T> problem{bits.shape, as<const T>(bits.q), as<const T>(bits.k), as<const T>(bits.v),
                          bits.mask,  bits.scale,          bits.causal};
    const int width = max(bits.shape.d, bits.shape.dv);
    if (width <= 64)
        launch1<T, 64, 64>(problem, out, stream);
    else if (width <= 128)
        launch1<T, 128, 32>(problem, out, stream);
    else
        launch1<T, 256, 32>(problem, out, stream);
}

bool can_start(int version, Format format, const Sdpa<std::uint16_t>& problem) {
    require(version == 1, "sdpa_forward_16 has version 1");
    if (!anything(problem)) return false;
    int device = 0, major = 0;
    checked(cudaGetDevice(&device), "sdpa_forward_16: which device this is");
    checked(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
            "sdpa_forward_16: compute capability");
    require(major >= (format == Format::half ? 7 : 8),
            "sdpa_forward_16: half needs compute capability 7.0, bfloat16 8.0: take sdpa_forward");
    return true;
}

void sdpa_forward_16(int version, Format format, const Sdpa<std::uint16_t>& problem, View<float> out,
                     cudaStream_t stream) {
    if (!can_start(version, format, problem)) return;
    if (format == Format::half)
        forward<__half>(problem, {out, {}}, stream);
    else
        forward<__nv_bfloat16>(problem, {out, {}}, stream);
}

void sdpa_forward_16(int version, Format format, const Sdpa<std::uint16_t>& problem, View<std::uint16_t> out,
                     cudaStream_t stream) {
    if (!can_start(version, format, problem)) return;
    if (format == Format::half)
        forward<__half>(problem, {{}, as<__half>(out)}, stream);
    else
        forward<__nv_bfloat16>(problem, {{}, as<__nv_bfloat16>(out)}, stream);
}

} // namespace assay::kernels
