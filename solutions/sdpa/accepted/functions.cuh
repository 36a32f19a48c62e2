// The contract's functions around one template, attend(q, k, v, pattern, scale, out, stream), which each answer that
// includes this has defined; and the gradients, by a thread a row and atomic sums over rows.
#ifndef ASSAY_SDPA_FUNCTIONS_CUH
#define ASSAY_SDPA_FUNCTIONS_CUH

#include "row.cuh"

namespace rows {

__global__ void zero_kernel(device_view<float, 4> x) {
    const Index n = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x, L = x.extent(2), W = x.extent(3);
    if (n < x.size()) x(n / W / L / x.extent(1), n / W / L % x.extent(1), n / W % L, n % W) = 0.0f;
}

__global__ void gradient_kernel(device_view<const float, 4> q, device_view<const float, 4> k,
                                device_view<const float, 4> v, Pattern pattern, float factor,
                                device_view<const float, 4> dout, device_view<float, 4> dq, device_view<float, 4> dk,
                                device_view<float, 4> dv) {
    const Index number = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (number >= q.extent(0) * q.extent(1) * q.extent(2)) return;
    const Row row(number, q, k);
    const Index Lk = k.extent(2), D = q.extent(3), Dv = v.extent(3);
    float max = -CUDART_INF_F, total = 0.0f, delta = 0.0f;
    for (Index j = 0; j < Lk; ++j) max = fmaxf(max, logit(q, k, pattern, factor, row, j));
    if (max == -CUDART_INF_F) return;
    const auto dp = [&](Index j) {
        float dot = 0.0f;
        for (Index d = 0; d < Dv; ++d) dot += dout(row.b, row.h, row.i, d) * v(row.b, row.kv, j, d);
        return dot;
    };
    for (Index j = 0; j < Lk; ++j) {
        const float weight = expf(logit(q, k, pattern, factor, row, j) - max);
        total += weight;
        if (weight > 0.0f) delta += weight * dp(j);
    }
    for (Index j = 0; j < Lk; ++j) {
        const float p = expf(logit(q, k, pattern, factor, row, j) - max) / total;
        if (p == 0.0f) continue;
        const float ds = factor * p * (dp(j) - delta / total);
        for (Index d = 0; d < D; ++d) {
            dq(row.b, row.h, row.i, d) += ds * k(row.b, row.kv, j, d); // this thread's alone
            atomicAdd(&dk(row.b, row.kv, j, d), ds * q(row.b, row.h, row.i, d));
        }
        for (Index d = 0; d < Dv; ++d) atomicAdd(&dv(row.b, row.kv, j, d), p * dout(row.b, row.h, row.i, d));
    }
}

inline void zero(device_view<float, 4> x, cudaStream_t stream) {
    if (x.size() > 0) zero_kernel<<<blocks_for(x.size(), 128), 128, 0, stream>>>(x);
    check(cudaGetLastError());
}

} // namespace rows

namespace sdpa {

void attention(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
               optional<device_view<const bool, 4>> mask, bool causal, optional<float> scale, device_view<float, 4> out,
               cudaStream_t stream) {
    rows::attend(q, k, v, {mask, causal}, scale, out, stream);
}

void attention_f16(device_view<const __half, 4> q, device_view<const __half, 4> k, device_view<const __half, 4> v,
                   optional<device_view<const bool, 4>> mask, bool causal, optional<float> scale,
                   device_view<float, 4> out, cudaStream_t stream) {
    rows::attend(q, k, v, {mask, causal}, scale, out, stream);
}

void attention_bf16(device_view<const __nv_bfloat16, 4> q, device_view<const __nv_bfloat16, 4> k,
                    device_view<const __nv_bfloat16, 4> v, optional<device_view<const bool, 4>> mask, bool causal,
                    optional<float> scale, device_view<float, 4> out, cudaStream_t stream) {
    rows::attend(q, k, v, {mask, causal}, scale, out, stream);
}

void attention_f16_stored(device_view<const __half, 4> q, device_view<const __half, 4> k,
                          device_view<const __half, 4> v, optional<device_view<const bool, 4>> mask, bool causal,
                          optional<float> scale, device_view<__half, 4> out, cudaStream_t stream) {
    rows::attend(q, k, v, {mask, causal}, scale, out, stream);
}

void attention_bf16_stored(device_view<const __nv_bfloat16, 4> q, device_view<const __nv_bfloat16, 4> k,
                           device_view<const __nv_bfloat16, 4> v, optional<device_view<const bool, 4>> mask,
                           bool causal, optional<float> scale, device_view<__nv_bfloat16, 4> out, cudaStream_t stream) {
    rows::attend(q, k, v, {mask, causal}, scale, out, stream);
}

void attention_backward(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
                        optional<device_view<const bool, 4>> mask, bool causal, optional<float> scale,
                        device_view<const float, 4> dout, device_view<float, 4> dq, device_view<float, 4> dk,
                        device_view<float, 4> dv, cudaStream_t stream) {
    for (const device_view<float, 4>& x : {dq, dk, dv}) rows::zero(x, stream);
    rows::gradient_kernel<<<rows::blocks_for(rows::rows_of(q), 32), 32, 0, stream>>>(
        q, k, v, {mask, causal}, rows::factor_of(scale, q.extent(3)), dout, dq, dk, dv);
    rows::check(cudaGetLastError());
}

} // namespace sdpa

#endif
