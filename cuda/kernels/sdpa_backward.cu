// Gradients of scaled dot-product attention, float32, heads up to 256 wide. Weights are computed again from the
// log-sum-exp of the forward pass: p = exp(score - lse), dS = p (dP - delta) with dP = dout v and delta = sum of p dP.
// (delta = dout out, as is usual, is cheaper and cancels worse: |dout| |v - out| may be far beyond |dP - delta|.)
//
//     nvcc -std=c++20 -O3 -arch=native -c sdpa_backward.cu
//
// version 1: three kernels, every sum in a fixed order: delta, then dq a tile of rows a block, then dk and dv a tile of
//            keys a block, which walks over all rows of all query heads that read them.
// version 2: two kernels: delta, then dk and dv as before, adding to dq by atomics on the way. Scores and dP are
//            computed twice in place of three times.
#include "sdpa.cuh"

namespace assay::kernels {

constexpr int threads = 128;

struct Backward {
    Sdpa<float> problem;
    View<const float> dout;
    View<float> dq, dk, dv;
    const float* lse;
    float* delta;
    __device__ size_t number(int b, int h, int i) const {
        return (static_cast<size_t>(b) * problem.shape.q_heads + h) * problem.shape.lq + i;
    }
};

template <int tile, int width> using Tile = float[tile][width + 1]; // one more: columns lie in different banks

/// p and dP of row i and key j, whose parts lie in shared memory; both 0 where the row may not attend the key.
struct Pair {
    float p = 0.0f, dp = 0.0f;
};
__device__ inline Pair pair_of(const Backward& in, const Allowed& allowed, int i, int j, const float* q, const float* k,
                               const float* dout, const float* v, size_t number) {
    const SdpaShape& s = in.problem.shape;
    if (i >= s.lq || !allowed(i, j)) return {};
    return {expf(in.problem.scale * dot(q, k, s.d) - in.lse[number]), dot(dout, v, s.dv)};
}

/// Of a tile of rows: delta, or dq once delta is known.
template <int width, int tile, bool find_delta> __global__ void __launch_bounds__(threads) by_rows_kernel(Backward in) {
    constexpr int lanes = threads / tile; // of a row
    __shared__ Tile<tile, width> q, k, dout, v;
    __shared__ Tile<tile, tile> ds;
    const SdpaShape s = in.problem.shape;
    const int first_row = blockIdx.x * tile, r = threadIdx.x / lanes, lane = threadIdx.x % lanes, i = first_row + r;
    const int h = blockIdx.y, b = blockIdx.z, kv = h / (s.q_heads / s.kv_heads);
    const Allowed allowed(in.problem, b, h);
    const int end = allowed.end(min(s.lq, first_row + tile) - 1); // of the block: all must come to the barriers
    const size_t number = in.number(b, h, i);
    stage<tile, width>(q, Rows<const float>(in.problem.q, b, h), first_row, s.lq, s.d);
    stage<tile, width>(dout, Rows<const float>(in.dout, b, h), first_row, s.lq, s.dv);
    float delta = 0.0f, sums[width / lanes] = {};
    if (!find_delta && i < s.lq) delta = in.delta[number];
    for (int first = 0; first < end; first += tile) {
        __syncthreads(); // the tile before has been read
        stage<tile, width>(k, Rows<const float>(in.problem.k, b, kv), first, s.lk, s.d);
        stage<tile, width>(v, Rows<const float>(in.problem.v, b, kv), first, s.lk, s.dv);
        __syncthreads();
        for (int j = lane; j < tile; j += lanes) {
            const Pair pair = pair_of(in, allowed, i, first + j, q[r], k[j], dout[r], v[j], number);
            if (find_delta && pair.p != 0.0f) delta += pair.p * pair.dp;
            if (!find_delta) ds[r][j] = pair.p != 0.0f ? pair.p * (pair.dp - delta) : 0.0f;
        }
        if (find_delta) continue;
        __syncwarp(); // a row's lanes are of one warp
        for (int j = 0; j < tile; ++j)
            if (ds[r][j] != 0.0f) // what may not be attended may hold NaN
                for (int e = 0; e < width / lanes; ++e) sums[e] += ds[r][j] * k[j][lane + e * lanes];
    }
    if (find_delta)
        for (int offset = lanes / 2; offset > 0; offset /= 2) delta += __shfl_xor_sync(~0u, delta, offset);
    if (i >= s.lq) return;
    if (find_delta && lane == 0) in.delta[number] = delta;
    if (find_delta) return;
    const Rows<float> dq(in.dq, b, h);
    for (int e = 0; e < width / lanes; ++e)
        if (lane + e * lanes < s.d) dq(i, lane + e * lanes) = in.problem.scale * sums[e];
}

/// Of a tile of keys: dk and dv, over all query heads that read them. With `and_dq` they add to dq, which starts as 0.
template <int width, int tile, bool and_dq> __global__ void __launch_bounds__(threads) by_keys_kernel(Backward in) {
    constexpr int lanes = threads / tile; // of a key
    __shared__ Tile<tile, width> q, k, dout, v;
    __shared__ Tile<tile, tile> p, ds; // by key, then row
    const SdpaShape s = in.problem.shape;
    const int first_key = blockIdx.x * tile, r = threadIdx.x / lanes, lane = threadIdx.x % lanes, j = first_key + r;
    const int kv = blockIdx.y, b = blockIdx.z, group = s.q_heads / s.kv_heads;
    stage<tile, width>(k, Rows<const float>(in.problem.k, b, kv), first_key, s.lk, s.d);
    stage<tile, width>(v, Rows<const float>(in.problem.v, b, kv), first_key, s.lk, s.dv);
    float sums_k[width / lanes] = {}, sums_v[width / lanes] = {};
    for (int h = kv * group; h < (kv + 1) * group; ++h) {
        const Allowed allowed(in.problem, b, h);
        const int from = max(0, first_key - allowed.reach) / tile * tile; // rows before attend none of these keys
        for (int first = from; first < s.lq; first += tile) {
            __syncthreads(); // the tile before has been read
            stage<tile, width>(q, Rows<const float>(in.problem.q, b, h), first, s.lq, s.d);
            stage<tile, width>(dout, Rows<const float>(in.dout, b, h), first, s.lq, s.dv);
            __syncthreads();
            for (int i = lane; i < tile; i += lanes) {
                const size_t number = in.number(b, h, first + i);
                const Pair pair = pair_of(in, allowed, first + i, j, q[i], k[r], dout[i], v[r], number);
                p[r][i] = pair.p;
                ds[r][i] = pair.p != 0.0f ? pair.p * (pair.dp - in.delta[number]) : 0.0f;
            }
            __syncthreads();
            for (int i = 0; i < tile; ++i) {
                if (p[r][i] == 0.0f) continue; // a row without keys may have a dout of NaN
                for (int e = 0; e < width / lanes; ++e) {
                    sums_k[e] += ds[r][i] * q[i][lane + e * lanes];
                    sums_v[e] += p[r][i] * dout[i][lane + e * lanes];
                }
            }
            if (!and_dq || first + r >= s.lq) continue;
            const Rows<float> dq(in.dq, b, h); // now r is a row
            for (int c = lane; c < s.d; c += lanes) {
                float sum = 0.0f;
                for (int n = 0; n < tile; ++n)
                    if (ds[n][r] != 0.0f) sum += ds[n][r] * k[n][c];
                if (sum != 0.0f) atomicAdd(&dq(first + r, c), in.problem.scale * sum);
            }
        }
    }
    if (j >= s.lk) return;
    const Rows<float> dk(in.dk, b, kv), dv(in.dv, b, kv);
    for (int e = 0; e < width / lanes; ++e) {
        if (lane + e * lanes < s.d) dk(j, lane + e * lanes) = in.problem.scale * sums_k[e];
        if (lane + e * lanes < s.dv) dv(j, lane + e * lanes) = sums_v[e];
    }
}

/// dq = 0, element by element: what lies between a view's elements is somebody else's.
__global__ void zero_kernel(View<float> view, int rows, int columns) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    const Rows<float> to(view, blockIdx.z, blockIdx.y);
    if (e < rows * columns) to(e / columns, e % columns) = 0.0f;
}

template <int width, int tile> void launch(int version, const Backward& in, cudaStream_t stream) {
    const SdpaShape& s = in.problem.shape;
    const dim3 rows((s.lq + tile - 1) / tile, s.q_heads, s.batch), keys((s.lk + tile - 1) / tile, s.kv_heads, s.batch);
    if (s.lq > 0) by_rows_kernel<width, tile, true><<<rows, threads, 0, stream>>>(in);
    if (s.lq > 0 && version == 1) by_rows_kernel<width, tile, false><<<rows, threads, 0, stream>>>(in);
    if (s.lq > 0 && version == 2)
        zero_kernel<<<dim3((s.lq * s.d + threads - 1) / threads, s.q_heads, s.batch), threads, 0, stream>>>(in.dq, s.lq,
                                                                                                            s.d);
    checked(cudaGetLastError(), "sdpa_backward: delta and dq");
    if (s.lk == 0) return;
    if (version == 1) by_keys_kernel<width, tile, false><<<keys, threads, 0, stream>>>(in);
    if (version == 2) by_keys_kernel<width, tile, true><<<keys, threads, 0, stream>>>(in);
    checked(cudaGetLastError(), "sdpa_backward: dk and dv");
}

void sdpa_backward(int version, const Sdpa<float>& problem, View<const float> dout, const float* lse, float* delta,
                   View<float> dq, View<float> dk, View<float> dv, cudaStream_t stream) {
    require(version == 1 || version == 2, "sdpa_backward has versions 1 and 2");
    const SdpaShape& s = problem.shape;
    if (!anything(problem) && (s.batch == 0 || s.q_heads == 0)) return;
    const Backward in{problem, dout, dq, dk, dv, lse, delta};
    const int width = max(s.d, s.dv); // four tiles lie in 48 KiB
    if (width <= 64)
        launch<64, 16>(version, in, stream);
    else if (width <= 128)
        launch<128, 16>(version, in, stream);
    else
        launch<256, 8>(version, in, stream);
}

} // namespace assay::kernels
