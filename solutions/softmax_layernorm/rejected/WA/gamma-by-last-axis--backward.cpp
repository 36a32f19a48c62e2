// Wrong: gamma, dgamma and dbeta belong to the last axis here: summed over the wrong axes.
// Level: layernorm-backward
#include "contract.hpp"

#include <cmath>

namespace softmax_layernorm {

void layernorm_backward(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 3> dy, int axis,
                        float eps, tensor<float, 3> dx, tensor<float, 1> dgamma, tensor<float, 1> dbeta) {
    const int outer = axis == 0 ? 1 : 0, inner = axis == 2 ? 1 : 2;
    const auto n = x.extent(axis);
    for (long j = 0; j < n; ++j) dgamma(j) = dbeta(j) = 0;
    for (long a = 0; n > 0 && a < x.extent(outer); ++a)
        for (long b = 0; b < x.extent(inner); ++b) {
            const float* in = x.data() + a * x.stride(outer) + b * x.stride(inner);
            const float* up = dy.data() + a * dy.stride(outer) + b * dy.stride(inner);
            float* out = dx.data() + a * dx.stride(outer) + b * dx.stride(inner);
            const auto s = x.stride(axis), t = dx.stride(axis), q = dy.stride(axis);
            float mean = 0, variance = 0;
            for (long j = 0; j < n; ++j) mean += in[j * s] / n;
            for (long j = 0; j < n; ++j) variance += (in[j * s] - mean) * (in[j * s] - mean) / n;
            const float r = 1 / std::sqrt(variance + eps);
            float sum = 0, dot = 0;
            for (long j = 0; j < n; ++j) {
                const float xhat = (in[j * s] - mean) * r, g = gamma(axis == 2 ? j : b) * up[j * q];
                sum += g;
                dot += g * xhat;
                dgamma(axis == 2 ? j : b) += up[j * q] * xhat;
                dbeta(axis == 2 ? j : b) += up[j * q];
            }
            for (long j = 0; j < n; ++j) {
                const float xhat = (in[j * s] - mean) * r, g = gamma(axis == 2 ? j : b) * up[j * q];
                out[j * t] = r * (g - sum / n - xhat * (dot / n));
            }
        }
}

} // namespace softmax_layernorm
