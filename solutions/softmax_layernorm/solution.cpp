// The model answer to `softmax_layernorm`: one loop over the slices, shared by all five functions, and inside it the
// textbook passes over one slice. What differs between the axes is a stride.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace {

using assay::tensor;
using Index = std::ptrdiff_t;

/// One slice of a tensor: n elements, `step` floats apart.
template <class T> struct Slice {
    T* first;
    Index step;
    T& operator[](Index j) const { return first[j * step]; }
};

template <class T> Slice<T> slice_at(tensor<T, 3> t, int axis, Index a, Index b) {
    const int outer = axis == 0 ? 1 : 0, inner = axis == 2 ? 1 : 2; // the two other axes
    return {t.data() + a * t.stride(outer) + b * t.stride(inner), t.stride(axis)};
}

/// Calls visit(a, b) for each slice; never for a tensor without elements.
template <class T, class Visit> void each_slice(tensor<T, 3> t, int axis, Visit visit) {
    if (t.size() == 0) return;
    const Index outer = t.extent(axis == 0 ? 1 : 0), inner = t.extent(axis == 2 ? 1 : 2);
    for (Index a = 0; a < outer; ++a)
        for (Index b = 0; b < inner; ++b) visit(a, b);
}

/// The slice's maximum and the sum of exp(x - max), which is at least 1.
struct Weights {
    float max, sum;
};

Weights weigh(Slice<const float> x, Index n) {
    float max = x[0], sum = 0;
    for (Index j = 1; j < n; ++j) max = std::max(max, x[j]);
    for (Index j = 0; j < n; ++j) sum += std::exp(x[j] - max);
    return {max, sum};
}

/// Mean, and 1 / sqrt(biased variance + eps), in two passes.
struct Statistics {
    float mean, rstd;
};

Statistics measure(Slice<const float> x, Index n, float eps) {
    const auto count = static_cast<float>(n);
    float sum = 0, squares = 0;
    for (Index j = 0; j < n; ++j) sum += x[j];
    const float mean = sum / count;
    for (Index j = 0; j < n; ++j) squares += (x[j] - mean) * (x[j] - mean);
    return {mean, 1 / std::sqrt(squares / count + eps)};
}

} // namespace

namespace softmax_layernorm {

void softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y) {
    const Index n = x.extent(axis);
    each_slice(x, axis, [&](Index a, Index b) {
        const auto in = slice_at(x, axis, a, b);
        const auto out = slice_at(y, axis, a, b);
        const Weights w = weigh(in, n);
        for (Index j = 0; j < n; ++j) out[j] = std::exp(in[j] - w.max) / w.sum;
    });
}

void log_softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y) {
    const Index n = x.extent(axis);
    each_slice(x, axis, [&](Index a, Index b) {
        const auto in = slice_at(x, axis, a, b);
        const auto out = slice_at(y, axis, a, b);
        const Weights w = weigh(in, n);
        const float log_sum = std::log(w.sum);
        for (Index j = 0; j < n; ++j)
            out[j] = (in[j] - w.max) - log_sum; // never max + log_sum: it rounds at max's size
    });
}

void softmax_backward(tensor<const float, 3> x, tensor<const float, 3> dy, int axis, tensor<float, 3> dx) {
    const Index n = x.extent(axis);
    each_slice(x, axis, [&](Index a, Index b) {
        const auto in = slice_at(x, axis, a, b);
        const auto g = slice_at(dy, axis, a, b);
        const auto out = slice_at(dx, axis, a, b);
        const Weights w = weigh(in, n);
        float dot = 0; // sum of y dy
        for (Index j = 0; j < n; ++j) dot += std::exp(in[j] - w.max) / w.sum * g[j];
        for (Index j = 0; j < n; ++j) out[j] = std::exp(in[j] - w.max) / w.sum * (g[j] - dot);
    });
}

void layernorm(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 1> beta, int axis, float eps,
               tensor<float, 3> y) {
    const Index n = x.extent(axis);
    each_slice(x, axis, [&](Index a, Index b) {
        const auto in = slice_at(x, axis, a, b);
        const auto out = slice_at(y, axis, a, b);
        const Statistics s = measure(in, n, eps);
        for (Index j = 0; j < n; ++j) out[j] = gamma(j) * ((in[j] - s.mean) * s.rstd) + beta(j);
    });
}

void layernorm_backward(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 3> dy, int axis,
                        float eps, tensor<float, 3> dx, tensor<float, 1> dgamma, tensor<float, 1> dbeta) {
    const Index n = x.extent(axis);
    for (Index j = 0; j < n; ++j) dgamma(j) = dbeta(j) = 0; // also where there is no slice to add
    each_slice(x, axis, [&](Index a, Index b) {
        const auto in = slice_at(x, axis, a, b);
        const auto g = slice_at(dy, axis, a, b);
        const auto out = slice_at(dx, axis, a, b);
        const Statistics s = measure(in, n, eps);
        float sum = 0, dot = 0; // of gamma dy, and of gamma dy x̂
        for (Index j = 0; j < n; ++j) {
            const float xhat = (in[j] - s.mean) * s.rstd, scaled = gamma(j) * g[j];
            sum += scaled;
            dot += scaled * xhat;
            dgamma(j) += g[j] * xhat;
            dbeta(j) += g[j];
        }
        const auto count = static_cast<float>(n);
        for (Index j = 0; j < n; ++j) {
            const float xhat = (in[j] - s.mean) * s.rstd;
            out[j] = s.rstd * (gamma(j) * g[j] - sum / count - xhat * (dot / count));
        }
    });
}

} // namespace softmax_layernorm
