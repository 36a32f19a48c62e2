// Wrong: one sum over the whole tensor.
// Level: softmax
#include "contract.hpp"

#include <algorithm>
#include <cmath>

namespace softmax_layernorm {

void softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y) {
    const int outer = axis == 0 ? 1 : 0, inner = axis == 2 ? 1 : 2;
    const auto n = x.extent(axis);
    float max = x(0, 0, 0), sum = 0;
    for (long i = 0; i < x.extent(0); ++i)
        for (long j = 0; j < x.extent(1); ++j)
            for (long k = 0; k < x.extent(2); ++k) max = std::max(max, x(i, j, k));
    for (long i = 0; i < x.extent(0); ++i)
        for (long j = 0; j < x.extent(1); ++j)
            for (long k = 0; k < x.extent(2); ++k) sum += std::exp(x(i, j, k) - max);
    for (long a = 0; n > 0 && a < x.extent(outer); ++a)
        for (long b = 0; b < x.extent(inner); ++b) {
            const float* in = x.data() + a * x.stride(outer) + b * x.stride(inner);
            float* out = y.data() + a * y.stride(outer) + b * y.stride(inner);
            const auto s = x.stride(axis), t = y.stride(axis);
            for (long j = 0; j < n; ++j) out[j * t] = std::exp(in[j * s] - max) / sum;
        }
}

} // namespace softmax_layernorm
