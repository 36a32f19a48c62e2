// The contract's `attention` around rows::attend(q, k, v, pattern, factor, out, stream), which the file that includes
// this has defined.
#include "row.cuh"

void sdpa::attention(device_view<const float, 4> q, device_view<const float, 4> k, device_view<const float, 4> v,
                     optional<device_view<const bool, 4>> mask, bool causal, optional<float> scale,
                     device_view<float, 4> out, cudaStream_t stream) {
    rows::attend(q, k, v, {mask, causal}, rows::factor_of(scale, q.extent(3)), out, stream);
}
