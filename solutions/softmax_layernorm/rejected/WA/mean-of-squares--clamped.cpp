// Wrong: E[x^2] - E[x]^2, never below 0.
// Level: layernorm-precision
#include "contract.hpp"

#include <algorithm>
#include <cmath>

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
            float sum = 0, squares = 0;
            for (long j = 0; j < n; ++j) {
                sum += in[j * s];
                squares += in[j * s] * in[j * s];
            }
            const float mean = sum / n, variance = std::max(squares / n - mean * mean, 0.0f);
            const float r = 1 / std::sqrt(variance + eps);
            for (long j = 0; j < n; ++j) out[j * t] = gamma(j) * ((in[j * s] - mean) * r) + beta(j);
        }
}

} // namespace softmax_layernorm
