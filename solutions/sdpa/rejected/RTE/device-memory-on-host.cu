// Wrong: the loops over rows and keys run on the host, which cannot reach device memory.
// Level: formula
// Told: from host code: only kernels and copies reach device memory
#include "row.cuh"

namespace rows {

void attend(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
            Pattern pattern, float factor, device_view<float, 4> out, cudaStream_t stream) {
    const Index Lk = k.extent(2), D = q.extent(3);
    for (Index number = 0; number < rows_of(q); ++number) {
        const Index i = number % q.extent(2), h = number / q.extent(2) % q.extent(1),
                    b = number / q.extent(2) / q.extent(1);
        const auto logit = [&](Index j) {
            float dot = 0.0f;
            for (Index d = 0; d < D; ++d)
                dot += q.data()[b * q.stride(0) + h * q.stride(1) + i * q.stride(2) + d] *
                       k.data()[b * k.stride(0) + h * k.stride(1) + j * k.stride(2) + d];
            return factor * dot;
        };
        float max = -CUDART_INF_F;
        for (Index j = 0; j < Lk; ++j) max = fmaxf(max, logit(j));
        for (Index e = 0; e < v.extent(3); ++e) {
            float sum = 0.0f, total = 0.0f;
            for (Index j = 0; j < Lk; ++j) {
                const float weight = expf(logit(j) - max);
                total += weight;
                sum += weight * v.data()[b * v.stride(0) + h * v.stride(1) + j * v.stride(2) + e];
            }
            out.data()[b * out.stride(0) + h * out.stride(1) + i * out.stride(2) + e] = sum / total;
        }
    }
}

} // namespace rows

#include "attention.cuh"
