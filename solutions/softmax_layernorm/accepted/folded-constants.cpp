// Right: what does not depend on j is folded into constants before the last pass, as frameworks' kernels do it:
// layernorm as x r - mean r, its gradient as r g + b x + c, softmax by a reciprocal. Walks views by their strides.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace {

using assay::tensor;

/// The slices of up to three tensors of the same extents, one after the other.
struct Walk {
    int axis, outer, inner;
    std::ptrdiff_t n, slices, width;
    Walk(tensor<const float, 3> t, int over)
        : axis(over), outer((over + 1) % 3), inner((over + 2) % 3), n(t.extent(axis)),
          slices(n == 0 ? 0 : t.extent(outer) * t.extent(inner)), width(t.extent(inner)) {}
    template <class T> T* first(tensor<T, 3> t, std::ptrdiff_t s) const {
        return t.data() + s / width * t.stride(outer) + s % width * t.stride(inner);
    }
};

void moments(const float* x, std::ptrdiff_t step, std::ptrdiff_t n, float eps, float& mean, float& r) {
    float squares = 0;
    mean = 0;
    for (std::ptrdiff_t j = 0; j < n; ++j) { // Welford
        const float before = x[j * step] - mean;
        mean += before / static_cast<float>(j + 1);
        squares += before * (x[j * step] - mean);
    }
    r = 1 / std::sqrt(squares / static_cast<float>(n) + eps);
}

} // namespace

namespace softmax_layernorm {

void softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y) {
    const Walk walk(x, axis);
    for (std::ptrdiff_t s = 0; s < walk.slices; ++s) {
        const float* in = walk.first(x, s);
        float *out = walk.first(y, s), max = *in, sum = 0;
        for (std::ptrdiff_t j = 0; j < walk.n; ++j) max = std::max(max, in[j * x.stride(axis)]);
        for (std::ptrdiff_t j = 0; j < walk.n; ++j)
            sum += out[j * y.stride(axis)] = std::exp(in[j * x.stride(axis)] - max);
        const float scale = 1 / sum;
        for (std::ptrdiff_t j = 0; j < walk.n; ++j) out[j * y.stride(axis)] *= scale;
    }
}

void log_softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y) {
    const Walk walk(x, axis);
    for (std::ptrdiff_t s = 0; s < walk.slices; ++s) {
        const float* in = walk.first(x, s);
        float *out = walk.first(y, s), max = *in, sum = 0;
        for (std::ptrdiff_t j = 0; j < walk.n; ++j) max = std::max(max, in[j * x.stride(axis)]);
        for (std::ptrdiff_t j = 0; j < walk.n; ++j)
            sum += std::exp(out[j * y.stride(axis)] = in[j * x.stride(axis)] - max);
        for (std::ptrdiff_t j = 0; j < walk.n; ++j) out[j * y.stride(axis)] -= std::log(sum);
    }
}

void softmax_backward(tensor<const float, 3> x, tensor<const float, 3> dy, int axis, tensor<float, 3> dx) {
    softmax(x, axis, dx);
    const Walk walk(x, axis);
    for (std::ptrdiff_t s = 0; s < walk.slices; ++s) {
        const float* g = walk.first(dy, s);
        float *out = walk.first(dx, s), dot = 0;
        for (std::ptrdiff_t j = 0; j < walk.n; ++j) dot += g[j * dy.stride(axis)] * out[j * dx.stride(axis)];
        for (std::ptrdiff_t j = 0; j < walk.n; ++j) out[j * dx.stride(axis)] *= g[j * dy.stride(axis)] - dot;
    }
}

void layernorm(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 1> beta, int axis, float eps,
               tensor<float, 3> y) {
    const Walk walk(x, axis);
    for (std::ptrdiff_t s = 0; s < walk.slices; ++s) {
        const float* in = walk.first(x, s);
        float *out = walk.first(y, s), mean, r;
        moments(in, x.stride(axis), walk.n, eps, mean, r);
        const float shift = -mean * r;
        for (std::ptrdiff_t j = 0; j < walk.n; ++j)
            out[j * y.stride(axis)] = (in[j * x.stride(axis)] * r + shift) * gamma(j) + beta(j);
    }
}

void layernorm_backward(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 3> dy, int axis,
                        float eps, tensor<float, 3> dx, tensor<float, 1> dgamma, tensor<float, 1> dbeta) {
    const Walk walk(x, axis);
    for (std::ptrdiff_t j = 0; j < walk.n; ++j) dgamma(j) = dbeta(j) = 0;
    for (std::ptrdiff_t s = 0; s < walk.slices; ++s) {
        const float *in = walk.first(x, s), *up = walk.first(dy, s);
        float *out = walk.first(dx, s), mean, r, ds = 0, db = 0;
        moments(in, x.stride(axis), walk.n, eps, mean, r);
        for (std::ptrdiff_t j = 0; j < walk.n; ++j) {
            const float value = in[j * x.stride(axis)], g = up[j * dy.stride(axis)];
            ds += g * gamma(j) * value;
            db += g * gamma(j);
            dgamma(j) += g * (value - mean) * r;
            dbeta(j) += g;
        }
        const float scale = 1 / static_cast<float>(walk.n);
        const float b = (db * mean - ds) * r * r * r * scale, c = -b * mean - db * r * scale;
        for (std::ptrdiff_t j = 0; j < walk.n; ++j)
            out[j * dx.stride(axis)] = r * up[j * dy.stride(axis)] * gamma(j) + b * in[j * x.stride(axis)] + c;
    }
}

} // namespace softmax_layernorm
