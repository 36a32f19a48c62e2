// Wrong: statistics over all slices at each index of the axis, as batchnorm takes them.
// Level: layernorm
#include "contract.hpp"

#include <cmath>

namespace softmax_layernorm {

void layernorm(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 1> beta, int axis, float eps,
               tensor<float, 3> y) {
    const int outer = axis == 0 ? 1 : 0, inner = axis == 2 ? 1 : 2;
    const auto n = x.extent(axis);
    const long count = x.extent(outer) * x.extent(inner);
    for (long j = 0; j < n; ++j) {
        const float* in = x.data() + j * x.stride(axis);
        float* out = y.data() + j * y.stride(axis);
        float mean = 0, variance = 0;
        for (long k = 0; k < count; ++k)
            mean += in[k / x.extent(inner) * x.stride(outer) + k % x.extent(inner) * x.stride(inner)] / count;
        for (long k = 0; k < count; ++k) {
            const float d = in[k / x.extent(inner) * x.stride(outer) + k % x.extent(inner) * x.stride(inner)] - mean;
            variance += d * d / count;
        }
        const float r = 1 / std::sqrt(variance + eps);
        for (long k = 0; k < count; ++k) {
            const float value = in[k / x.extent(inner) * x.stride(outer) + k % x.extent(inner) * x.stride(inner)];
            out[k / x.extent(inner) * y.stride(outer) + k % x.extent(inner) * y.stride(inner)] =
                gamma(j) * ((value - mean) * r) + beta(j);
        }
    }
}

} // namespace softmax_layernorm
