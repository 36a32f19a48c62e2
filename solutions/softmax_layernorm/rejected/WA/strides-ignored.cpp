// Wrong: inputs are read as if they were contiguous.
// Level: views
#include "contract.hpp"

#include <algorithm>
#include <cmath>

namespace softmax_layernorm {

static long packed_step(tensor<const float, 3> t, int axis) {
    return axis == 2 ? 1 : axis == 1 ? t.extent(2) : t.extent(1) * t.extent(2);
}

void softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y) {
    const int outer = axis == 0 ? 1 : 0, inner = axis == 2 ? 1 : 2;
    const auto n = x.extent(axis);
    for (long a = 0; n > 0 && a < x.extent(outer); ++a)
        for (long b = 0; b < x.extent(inner); ++b) {
            const float* in = x.data() + a * (outer == 0 ? x.extent(1) * x.extent(2) : x.extent(2)) +
                              b * (inner == 1 ? x.extent(2) : 1);
            float* out = y.data() + a * y.stride(outer) + b * y.stride(inner);
            const auto s = packed_step(x, axis), t = y.stride(axis);
            float max = in[0], sum = 0;
            for (long j = 1; j < n; ++j) max = std::max(max, in[j * s]);
            for (long j = 0; j < n; ++j) sum += std::exp(in[j * s] - max);
            for (long j = 0; j < n; ++j) out[j * t] = std::exp(in[j * s] - max) / sum;
        }
}

void log_softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y) {
    const int outer = axis == 0 ? 1 : 0, inner = axis == 2 ? 1 : 2;
    const auto n = x.extent(axis);
    for (long a = 0; n > 0 && a < x.extent(outer); ++a)
        for (long b = 0; b < x.extent(inner); ++b) {
            const float* in = x.data() + a * (outer == 0 ? x.extent(1) * x.extent(2) : x.extent(2)) +
                              b * (inner == 1 ? x.extent(2) : 1);
            float* out = y.data() + a * y.stride(outer) + b * y.stride(inner);
            const auto s = packed_step(x, axis), t = y.stride(axis);
            float max = in[0], sum = 0;
            for (long j = 1; j < n; ++j) max = std::max(max, in[j * s]);
            for (long j = 0; j < n; ++j) sum += std::exp(in[j * s] - max);
            for (long j = 0; j < n; ++j) out[j * t] = in[j * s] - max - std::log(sum);
        }
}

void softmax_backward(tensor<const float, 3> x, tensor<const float, 3> dy, int axis, tensor<float, 3> dx) {
    const int outer = axis == 0 ? 1 : 0, inner = axis == 2 ? 1 : 2;
    const auto n = x.extent(axis);
    for (long a = 0; n > 0 && a < x.extent(outer); ++a)
        for (long b = 0; b < x.extent(inner); ++b) {
            const float* in = x.data() + a * (outer == 0 ? x.extent(1) * x.extent(2) : x.extent(2)) +
                              b * (inner == 1 ? x.extent(2) : 1);
            const float* g = dy.data() + a * (outer == 0 ? dy.extent(1) * dy.extent(2) : dy.extent(2)) +
                             b * (inner == 1 ? dy.extent(2) : 1);
            float* out = dx.data() + a * dx.stride(outer) + b * dx.stride(inner);
            const auto s = packed_step(x, axis), t = dx.stride(axis), r = packed_step(dy, axis);
            float max = in[0], sum = 0;
            for (long j = 1; j < n; ++j) max = std::max(max, in[j * s]);
            for (long j = 0; j < n; ++j) sum += std::exp(in[j * s] - max);
            float dot = 0;
            for (long j = 0; j < n; ++j) dot += std::exp(in[j * s] - max) / sum * g[j * r];
            for (long j = 0; j < n; ++j) {
                const float y = std::exp(in[j * s] - max) / sum;
                out[j * t] = y * (g[j * r] - dot);
            }
        }
}

void layernorm(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 1> beta, int axis, float eps,
               tensor<float, 3> y) {
    const int outer = axis == 0 ? 1 : 0, inner = axis == 2 ? 1 : 2;
    const auto n = x.extent(axis);
    for (long a = 0; n > 0 && a < x.extent(outer); ++a)
        for (long b = 0; b < x.extent(inner); ++b) {
            const float* in = x.data() + a * (outer == 0 ? x.extent(1) * x.extent(2) : x.extent(2)) +
                              b * (inner == 1 ? x.extent(2) : 1);
            float* out = y.data() + a * y.stride(outer) + b * y.stride(inner);
            const auto s = packed_step(x, axis), t = y.stride(axis);
            float mean = 0, variance = 0;
            for (long j = 0; j < n; ++j) mean += in[j * s] / n;
            for (long j = 0; j < n; ++j) variance += (in[j * s] - mean) * (in[j * s] - mean) / n;
            const float r = 1 / std::sqrt(variance + eps);
            for (long j = 0; j < n; ++j) out[j * t] = gamma.data()[j] * ((in[j * s] - mean) * r) + beta.data()[j];
        }
}

void layernorm_backward(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 3> dy, int axis,
                        float eps, tensor<float, 3> dx, tensor<float, 1> dgamma, tensor<float, 1> dbeta) {
    const int outer = axis == 0 ? 1 : 0, inner = axis == 2 ? 1 : 2;
    const auto n = x.extent(axis);
    for (long j = 0; j < n; ++j) dgamma(j) = dbeta(j) = 0;
    for (long a = 0; n > 0 && a < x.extent(outer); ++a)
        for (long b = 0; b < x.extent(inner); ++b) {
            const float* in = x.data() + a * (outer == 0 ? x.extent(1) * x.extent(2) : x.extent(2)) +
                              b * (inner == 1 ? x.extent(2) : 1);
            const float* up = dy.data() + a * (outer == 0 ? dy.extent(1) * dy.extent(2) : dy.extent(2)) +
                              b * (inner == 1 ? dy.extent(2) : 1);
            float* out = dx.data() + a * dx.stride(outer) + b * dx.stride(inner);
            const auto s = packed_step(x, axis), t = dx.stride(axis), q = packed_step(dy, axis);
            float mean = 0, variance = 0;
            for (long j = 0; j < n; ++j) mean += in[j * s] / n;
            for (long j = 0; j < n; ++j) variance += (in[j * s] - mean) * (in[j * s] - mean) / n;
            const float r = 1 / std::sqrt(variance + eps);
            float sum = 0, dot = 0;
            for (long j = 0; j < n; ++j) {
                const float xhat = (in[j * s] - mean) * r, g = gamma.data()[j] * up[j * q];
                sum += g;
                dot += g * xhat;
                dgamma(j) += up[j * q] * xhat;
                dbeta(j) += up[j * q];
            }
            for (long j = 0; j < n; ++j) {
                const float xhat = (in[j * s] - mean) * r, g = gamma.data()[j] * up[j * q];
                out[j * t] = r * (g - sum / n - xhat * (dot / n));
            }
        }
}

} // namespace softmax_layernorm
