// Wrong: x is taken for the output of softmax.
// Level: softmax-backward
#include "contract.hpp"

namespace softmax_layernorm {

void softmax_backward(tensor<const float, 3> x, tensor<const float, 3> dy, int axis, tensor<float, 3> dx) {
    const int outer = axis == 0 ? 1 : 0, inner = axis == 2 ? 1 : 2;
    const auto n = x.extent(axis);
    for (long a = 0; n > 0 && a < x.extent(outer); ++a)
        for (long b = 0; b < x.extent(inner); ++b) {
            const float* in = x.data() + a * x.stride(outer) + b * x.stride(inner);
            const float* g = dy.data() + a * dy.stride(outer) + b * dy.stride(inner);
            float* out = dx.data() + a * dx.stride(outer) + b * dx.stride(inner);
            const auto s = x.stride(axis), t = dx.stride(axis), r = dy.stride(axis);
            float dot = 0;
            for (long j = 0; j < n; ++j) dot += in[j * s] * g[j * r];
            for (long j = 0; j < n; ++j) {
                const float y = in[j * s];
                out[j * t] = y * (g[j * r] - dot);
            }
        }
}

} // namespace softmax_layernorm
