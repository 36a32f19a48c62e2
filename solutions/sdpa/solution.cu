// The model answer to `sdpa` in CUDA: a block a query row, keys in tiles of as many as it has threads, softmax kept up
// tile by tile (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018). The gradients take a block
// a row for dq and a block a key for dk and dv, so that no sum needs atomics. Written to be right and read.
#include "contract.cuh"

#include <math_constants.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace {

using assay::device_view;
using assay::optional;
using Index = std::ptrdiff_t;

constexpr int threads = 64, warps = threads / 32; // of a block

void check(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

struct Max {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};

/// Of the values of all threads, for all of them. Every thread of the block must call it.
template <class Join> __device__ float reduced(float value, Join join) {
    __shared__ float of_warps[warps];
    for (int distance = 16; distance > 0; distance /= 2)
        value = join(value, __shfl_xor_sync(0xffffffffu, value, distance));
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
    __syncthreads();
    value = of_warps[0];
    for (int warp = 1; warp < warps; ++warp) value = join(value, of_warps[warp]);
    __syncthreads(); // nobody's next call may write while somebody still reads
    return value;
}

/// Which keys a query may attend.
struct Pattern {
    optional<device_view<const bool, 4>> mask;
    bool causal;

    __device__ bool allows(Index b, Index h, Index i, Index j, Index Lq, Index Lk) const {
        if (causal && j > i + Lk - Lq) return false;
        // An index modulo an extent of 1 is 0, and modulo a full extent itself: that is broadcasting.
        return !mask || (*mask)(b % mask->extent(0), h % mask->extent(1), i % mask->extent(2), j % mask->extent(3));
    }
};

/// A query (b, h, i) with the key/value head that it reads.
struct Row {
    Index b, h, i, kv;

    template <class T, class K> __device__ Row(Index number, const device_view<T, 4>& q, const device_view<K, 4>& k)
        : b(number / q.extent(2) / q.extent(1)), h(number / q.extent(2) % q.extent(1)), i(number % q.extent(2)),
          kv(h / (q.extent(1) / k.extent(1))) {}
};

/// factor q·k, or minus infinity where the row may not attend key j or there is none.
template <class T> __device__ float logit(const device_view<const T, 4>& q, const device_view<const T, 4>& k,
                                          const Pattern& pattern, float factor, const Row& row, Index j) {
    const Index Lk = k.extent(2);
    // A masked key is never read: NaN lying there can't leak by 0 · NaN.
    if (j >= Lk || !pattern.allows(row.b, row.h, row.i, j, q.extent(2), Lk)) return -CUDART_INF_F;
    float dot = 0.0f;
    for (Index d = 0; d < q.extent(3); ++d)
        dot += static_cast<float>(q(row.b, row.h, row.i, d)) * static_cast<float>(k(row.b, row.kv, j, d));
    return factor * dot;
}

/// Block n computes row n of out. Dynamic shared memory: a float a feature of v.
template <class In, class Out> __global__ void attention_kernel(device_view<const In, 4> q, device_view<const In, 4> k,
                                                                device_view<const In, 4> v, Pattern pattern,
                                                                float factor, device_view<Out, 4> out) {
    extern __shared__ float sums[]; // Σ weight · v; each belongs to one thread
    __shared__ float weights[threads];
    const Row row(blockIdx.x, q, k);
    const Index Lk = k.extent(2), Dv = v.extent(3), t = threadIdx.x;
    float max = -CUDART_INF_F, total = 0.0f;
    for (Index d = t; d < Dv; d += threads) sums[d] = 0.0f;
    for (Index first = 0; first < Lk; first += threads) {
        const float mine = logit(q, k, pattern, factor, row, first + t);
        const float next = fmaxf(max, reduced(mine, Max{}));
        if (next == -CUDART_INF_F) continue; // nothing to attend so far: all threads agree on that
        const float weight = expf(mine - next), keep = expf(max - next);
        weights[t] = weight;
        total = total * keep + reduced(weight, Sum{}); // whose barriers show the weights to all
        for (Index d = t; d < Dv; d += threads) {
            float sum = sums[d] * keep;
            for (Index n = 0; n < threads && first + n < Lk; ++n)
                if (weights[n] > 0.0f) sum += weights[n] * static_cast<float>(v(row.b, row.kv, first + n, d));
            sums[d] = sum;
        }
        max = next;
        __syncthreads(); // before the next tile's weights
    }
    for (Index d = t; d < Dv; d += threads) out(row.b, row.h, row.i, d) = Out(total > 0.0f ? sums[d] / total : 0.0f);
}

float factor_of(optional<float> scale, Index D) { return scale.value_or(1.0f / std::sqrt(static_cast<float>(D))); }

/// A kernel that wants more dynamic shared memory than every kernel may have is allowed it here.
template <class Kernel> void allow_shared(Kernel kernel, std::size_t bytes) {
    if (bytes > (48 << 10))
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
}

template <class In, class Out> void attend(device_view<const In, 4> q, device_view<const In, 4> k,
                                           device_view<const In, 4> v, Pattern pattern, optional<float> scale,
                                           device_view<Out, 4> out, cudaStream_t stream) {
    const Index rows = q.extent(0) * q.extent(1) * q.extent(2);
    if (rows == 0) return; // a grid has at least one block
    const std::size_t shared = v.extent(3) * sizeof(float);
    allow_shared(attention_kernel<In, Out>, shared);
    attention_kernel<In, Out><<<rows, threads, shared, stream>>>(q, k, v, pattern, factor_of(scale, q.extent(3)), out);
    check(cudaGetLastError());
}

/// What the gradients need of a row's softmax. A row without keys has total = 0.
struct Softmax {
    float max, total, delta; // delta: Σ p (dout·v)
};

__device__ float dot_of_row(const device_view<const float, 4>& dout, const device_view<const float, 4>& v,
                            const Row& row, Index j) {
    float dot = 0.0f;
    for (Index d = 0; d < v.extent(3); ++d) dot += dout(row.b, row.h, row.i, d) * v(row.b, row.kv, j, d);
    return dot;
}

/// Block n: dq of row n, and its softmax for the other kernel. Dynamic shared memory: a float a feature of q.
__global__ void row_gradient_kernel(device_view<const float, 4> q, device_view<const float, 4> k,
                                    device_view<const float, 4> v, Pattern pattern, float factor,
                                    device_view<const float, 4> dout, device_view<float, 4> dq, Softmax* softmax) {
    extern __shared__ float sums[]; // Σ ds · k
    __shared__ float shares[threads];
    const Row row(blockIdx.x, q, k);
    const Index Lk = k.extent(2), D = q.extent(3), t = threadIdx.x;
    float max = -CUDART_INF_F, total = 0.0f, delta = 0.0f;
    for (Index first = 0; first < Lk; first += threads)
        max = fmaxf(max, reduced(logit(q, k, pattern, factor, row, first + t), Max{}));
    for (Index first = 0; first < Lk && max > -CUDART_INF_F; first += threads) {
        const float weight = expf(logit(q, k, pattern, factor, row, first + t) - max);
        const float dp = weight > 0.0f ? dot_of_row(dout, v, row, first + t) : 0.0f;
        total += reduced(weight, Sum{});
        delta += reduced(weight * dp, Sum{});
    }
    delta = total > 0.0f ? delta / total : 0.0f;
    for (Index d = t; d < D; d += threads) sums[d] = 0.0f;
    for (Index first = 0; first < Lk && total > 0.0f; first += threads) {
        const float p = expf(logit(q, k, pattern, factor, row, first + t) - max) / total;
        // The logit is factor · q·k: what is passed on to q and k carries the factor once.
        shares[t] = p > 0.0f ? factor * p * (dot_of_row(dout, v, row, first + t) - delta) : 0.0f;
        __syncthreads();
        for (Index d = t; d < D; d += threads)
            for (Index n = 0; n < threads && first + n < Lk; ++n) sums[d] += shares[n] * k(row.b, row.kv, first + n, d);
        __syncthreads();
    }
    for (Index d = t; d < D; d += threads) dq(row.b, row.h, row.i, d) = sums[d];
    if (t == 0) softmax[blockIdx.x] = {max, total, delta};
}

/// A block a key: dk and dv are sums over the queries of its group. Dynamic shared memory: a float a feature of k and
/// v.
__global__ void key_gradient_kernel(device_view<const float, 4> q, device_view<const float, 4> k,
                                    device_view<const float, 4> v, Pattern pattern, float factor,
                                    device_view<const float, 4> dout, device_view<float, 4> dk,
                                    device_view<float, 4> dv, const Softmax* softmax) {
    extern __shared__ float sums[]; // of dk, then of dv
    __shared__ float shares[threads], weights[threads];
    const Index Hq = q.extent(1), Lq = q.extent(2), Hkv = k.extent(1), Lk = k.extent(2), D = k.extent(3),
                Dv = v.extent(3), group = Hq / Hkv, t = threadIdx.x;
    const Index j = blockIdx.x % Lk, kv = blockIdx.x / Lk % Hkv, b = blockIdx.x / Lk / Hkv;
    const Index first_row = (b * Hq + kv * group) * Lq, rows = group * Lq; // those that read this key lie together
    for (Index d = t; d < D + Dv; d += threads) sums[d] = 0.0f;
    for (Index first = 0; first < rows; first += threads) {
        shares[t] = weights[t] = 0.0f;
        if (first + t < rows) {
            const Row row(first_row + first + t, q, k);
            const Softmax of_row = softmax[first_row + first + t];
            const float mine = logit(q, k, pattern, factor, row, j);
            if (mine > -CUDART_INF_F) {
                weights[t] = expf(mine - of_row.max) / of_row.total;
                shares[t] = factor * weights[t] * (dot_of_row(dout, v, row, j) - of_row.delta);
            }
        }
        __syncthreads();
        for (Index n = 0; n < threads && first + n < rows; ++n) {
            const Row row(first_row + first + n, q, k);
            for (Index d = t; d < D + Dv; d += threads)
                sums[d] += d < D ? shares[n] * q(b, row.h, row.i, d) : weights[n] * dout(b, row.h, row.i, d - D);
        }
        __syncthreads();
    }
    for (Index d = t; d < D + Dv; d += threads)
        if (d < D)
            dk(b, kv, j, d) = sums[d];
        else
            dv(b, kv, j, d - D) = sums[d];
}

} // namespace

namespace sdpa {

void attention(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
               optional<device_view<const bool, 4>> mask, bool causal, optional<float> scale, device_view<float, 4> out,
               cudaStream_t stream) {
    attend(q, k, v, {mask, causal}, scale, out, stream);
}

void attention_f16(device_view<const __half, 4> q, device_view<const __half, 4> k, device_view<const __half, 4> v,
                   optional<device_view<const bool, 4>> mask, bool causal, optional<float> scale,
                   device_view<float, 4> out, cudaStream_t stream) {
    attend(q, k, v, {mask, causal}, scale, out, stream);
}

void attention_bf16(device_view<const __nv_bfloat16, 4> q, device_view<const __nv_bfloat16, 4> k,
                    device_view<const __nv_bfloat16, 4> v, optional<device_view<const bool, 4>> mask, bool causal,
                    optional<float> scale, device_view<float, 4> out, cudaStream_t stream) {
    attend(q, k, v, {mask, causal}, scale, out, stream);
}

void attention_f16_stored(device_view<const __half, 4> q, device_view<const __half, 4> k,
                          device_view<const __half, 4> v, optional<device_view<const bool, 4>> mask, bool causal,
                          optional<float> scale, device_view<__half, 4> out, cudaStream_t stream) {
    attend(q, k, v, {mask, causal}, scale, out, stream);
}

void attention_bf16_stored(device_view<const __nv_bfloat16, 4> q, device_view<const __nv_bfloat16, 4> k,
                           device_view<const __nv_bfloat16, 4> v, optional<device_view<const bool, 4>> mask,
                           bool causal, optional<float> scale, device_view<__nv_bfloat16, 4> out, cudaStream_t stream) {
    attend(q, k, v, {mask, causal}, scale, out, stream);
}

void attention_backward(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
                        optional<device_view<const bool, 4>> mask, bool causal, optional<float> scale,
                        device_view<const float, 4> dout, device_view<float, 4> dq, device_view<float, 4> dk,
                        device_view<float, 4> dv, cudaStream_t stream) {
    const Index rows = q.extent(0) * q.extent(1) * q.extent(2), keys = k.extent(0) * k.extent(1) * k.extent(2);
    if (rows == 0) return;
    const float factor = factor_of(scale, q.extent(3));
    const Pattern pattern{mask, causal};
    const std::size_t of_row = q.extent(3) * sizeof(float), of_key = (q.extent(3) + v.extent(3)) * sizeof(float);
    Softmax* softmax = nullptr; // a row each
    check(cudaMallocAsync(&softmax, rows * sizeof(Softmax), stream));
    allow_shared(row_gradient_kernel, of_row);
    row_gradient_kernel<<<rows, threads, of_row, stream>>>(q, k, v, pattern, factor, dout, dq, softmax);
    check(cudaGetLastError());
    if (keys > 0) {
        allow_shared(key_gradient_kernel, of_key);
        key_gradient_kernel<<<keys, threads, of_key, stream>>>(q, k, v, pattern, factor, dout, dk, dv, softmax);
        check(cudaGetLastError());
    }
    check(cudaFreeAsync(softmax, stream));
}

} // namespace sdpa
