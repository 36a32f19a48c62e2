// Wrong: the maximum starts at 0.
// Level: softmax-range
#include "contract.hpp"

#include <algorithm>
#include <cmath>

namespace softmax_layernorm {

void softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y) {
    const int outer = axis == 0 ? 1 : 0, inner = axis == 2 ? 1 : 2;
    const auto n = x.extent(axis);
    for (long a = 0; n > 0 && a < x.extent(outer); ++a)
        for (long b = 0; b < x.extent(inner); ++b) {
            const float* in = x.data() + a * x.stride(outer) + b * x.stride(inner);
            float* out = y.data() + a * y.stride(outer) + b * y.stride(inner);
            const auto s = x.stride(axis), t = y.stride(axis);
            float max = 0, sum = 0;
            for (long j = 0; j < n; ++j) max = std::max(max, in[j * s]);
            for (long j = 0; j < n; ++j) sum += std::exp(in[j * s] - max);
            for (long j = 0; j < n; ++j) out[j * t] = std::exp(in[j * s] - max) / sum;
        }
}

} // namespace softmax_layernorm
