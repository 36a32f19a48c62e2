// Wrong: divided by the variance.
// Level: layernorm
#include "contract.hpp"

namespace softmax_layernorm {

void layernorm(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 1> beta, int axis, float eps,
               tensor<float, 3> y) {
    const int outer = axis == 0 ? 1 : 0, inner = axis == 2 ? 1 : 2;
    const auto n = x.extent(axis);
    for (long a = 0; n > 0 && a < x.extent(outer); ++a)
        for (long b = 0; b < x.extent(inner); ++b) {
            const float* in = x.data() + a * x.stride(outer) + b * x.stride(inner);
            float* out = y.data() + a * y.stride(outer) + b * y.stride(inner);
            const auto s = x.stride(axis), t = y.stride(axis);
            float mean = 0, variance = 0;
            for (long j = 0; j < n; ++j) mean += in[j * s] / n;
            for (long j = 0; j < n; ++j) variance += (in[j * s] - mean) * (in[j * s] - mean) / n;
            const float r = 1 / (variance + eps);
            for (long j = 0; j < n; ++j) out[j * t] = gamma(j) * ((in[j * s] - mean) * r) + beta(j);
        }
}

} // namespace softmax_layernorm
