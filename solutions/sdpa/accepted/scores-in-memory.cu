// Three kernels, as without fusing: all logits into global memory, the softmax of each row there, the product with v.
#include "row.cuh"

namespace rows {

constexpr int threads = 64;

template <class In> __global__ void score_kernel(device_view<const In, 4> q, device_view<const In, 4> k,
                                                 Pattern pattern, float factor, float* scores) {
    const Index Lk = k.extent(2), n = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (n >= q.extent(0) * q.extent(1) * q.extent(2) * Lk) return;
    scores[n] = logit(q, k, pattern, factor, Row(n / Lk, q, k), n % Lk);
}

/// A block a row; a tree in shared memory takes maximum and sum.
__global__ void softmax_kernel(float* scores, Index Lk) {
    __shared__ float tree[threads];
    float* row = scores + blockIdx.x * Lk;
    const int t = threadIdx.x;
    float mine = -CUDART_INF_F;
    for (Index j = t; j < Lk; j += threads) mine = fmaxf(mine, row[j]);
    tree[t] = mine;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (t < half) tree[t] = fmaxf(tree[t], tree[t + half]);
        __syncthreads();
    }
    const float max = tree[0];
    __syncthreads();
    mine = 0.0f;
    for (Index j = t; j < Lk; j += threads) {
        row[j] = max == -CUDART_INF_F ? 0.0f : expf(row[j] - max);
        mine += row[j];
    }
    tree[t] = mine;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (t < half) tree[t] += tree[t + half];
        __syncthreads();
    }
    for (Index j = t; j < Lk; j += threads) row[j] = tree[0] > 0.0f ? row[j] / tree[0] : 0.0f;
}

template <class In, class Out>
__global__ void product_kernel(const float* weights, device_view<const In, 4> v, device_view<Out, 4> out) {
    const Index n = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x, Dv = out.extent(3), L = out.extent(2),
                H = out.extent(1), Lk = v.extent(2);
    if (n >= out.size()) return;
    const Index d = n % Dv, i = n / Dv % L, h = n / Dv / L % H, b = n / Dv / L / H, kv = h / (H / v.extent(1));
    float sum = 0.0f;
    for (Index j = 0; j < Lk; ++j)
        if (const float weight = weights[n / Dv * Lk + j]; weight > 0.0f)
            sum += weight * static_cast<float>(v(b, kv, j, d));
    out(b, h, i, d) = Out(sum);
}

template <class In, class Out> void attend(device_view<const In, 4> q, device_view<const In, 4> k,
                                           device_view<const In, 4> v, Pattern pattern, optional<float> scale,
                                           device_view<Out, 4> out, cudaStream_t stream) {
    const Index rows = rows_of(q), Lk = k.extent(2);
    float* scores = nullptr;
    check(cudaMallocAsync(&scores, rows * Lk * sizeof(float), stream));
    if (Lk > 0) {
        score_kernel<<<blocks_for(rows * Lk, threads), threads, 0, stream>>>(q, k, pattern,
                                                                             factor_of(scale, q.extent(3)), scores);
        softmax_kernel<<<rows, threads, 0, stream>>>(scores, Lk);
    }
    if (out.size() > 0) product_kernel<<<blocks_for(out.size(), threads), threads, 0, stream>>>(scores, v, out);
    check(cudaGetLastError());
    check(cudaFreeAsync(scores, stream));
}

} // namespace rows

#include "functions.cuh"
