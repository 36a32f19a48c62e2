// Right: one pass a slice. Softmax by a running maximum and a rescaled sum, layernorm by Welford's running mean and
// sum of squared deviations, with views indexed element by element.
#include "contract.hpp"

#include <cmath>
#include <limits>

namespace {

using assay::tensor;

template <class T> T& element(tensor<T, 3> t, int axis, long a, long b, long j) {
    return axis == 0 ? t(j, a, b) : axis == 1 ? t(a, j, b) : t(a, b, j);
}

struct Running {
    float max = -std::numeric_limits<float>::infinity(), sum = 0;
    void take(float x) {
        if (x > max) {
            sum = sum * std::exp(max - x) + 1;
            max = x;
        } else {
            sum += std::exp(x - max);
        }
    }
};

struct Welford {
    float count = 0, mean = 0, squares = 0;
    void take(float x) {
        count += 1;
        const float before = x - mean;
        mean += before / count;
        squares += before * (x - mean);
    }
    float deviation(float eps) const { return std::sqrt(squares / count + eps); }
};

template <class Visit> void each(tensor<const float, 3> x, int axis, Visit visit) {
    if (x.extent(axis) == 0) return;
    for (long a = 0; a < x.extent(axis == 0 ? 1 : 0); ++a)
        for (long b = 0; b < x.extent(axis == 2 ? 1 : 2); ++b) visit(a, b);
}

Running run(tensor<const float, 3> x, int axis, long a, long b) {
    Running r;
    for (long j = 0; j < x.extent(axis); ++j) r.take(element(x, axis, a, b, j));
    return r;
}

Welford measure(tensor<const float, 3> x, int axis, long a, long b) {
    Welford w;
    for (long j = 0; j < x.extent(axis); ++j) w.take(element(x, axis, a, b, j));
    return w;
}

} // namespace

namespace softmax_layernorm {

void softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y) {
    each(x, axis, [&](long a, long b) {
        const Running r = run(x, axis, a, b);
        const float scale = 1 / r.sum;
        for (long j = 0; j < x.extent(axis); ++j)
            element(y, axis, a, b, j) = std::exp(element(x, axis, a, b, j) - r.max) * scale;
    });
}

void log_softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y) {
    each(x, axis, [&](long a, long b) {
        const Running r = run(x, axis, a, b);
        for (long j = 0; j < x.extent(axis); ++j)
            element(y, axis, a, b, j) = element(x, axis, a, b, j) - r.max - std::log(r.sum);
    });
}

void softmax_backward(tensor<const float, 3> x, tensor<const float, 3> dy, int axis, tensor<float, 3> dx) {
    softmax(x, axis, dx); // y kept where dx will be
    each(x, axis, [&](long a, long b) {
        float dot = 0;
        for (long j = 0; j < x.extent(axis); ++j) dot += element(dx, axis, a, b, j) * element(dy, axis, a, b, j);
        for (long j = 0; j < x.extent(axis); ++j) {
            float& out = element(dx, axis, a, b, j);
            out = out * element(dy, axis, a, b, j) - out * dot;
        }
    });
}

void layernorm(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 1> beta, int axis, float eps,
               tensor<float, 3> y) {
    each(x, axis, [&](long a, long b) {
        const Welford w = measure(x, axis, a, b);
        const float deviation = w.deviation(eps);
        for (long j = 0; j < x.extent(axis); ++j)
            element(y, axis, a, b, j) = (element(x, axis, a, b, j) - w.mean) / deviation * gamma(j) + beta(j);
    });
}

void layernorm_backward(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 3> dy, int axis,
                        float eps, tensor<float, 3> dx, tensor<float, 1> dgamma, tensor<float, 1> dbeta) {
    for (long j = 0; j < dgamma.extent(0); ++j) dgamma(j) = dbeta(j) = 0;
    // Through the variance and the mean by the chain rule, as it is written on a whiteboard.
    each(x, axis, [&](long a, long b) {
        const Welford w = measure(x, axis, a, b);
        const float n = w.count, deviation = w.deviation(eps);
        float dvariance = 0, dmean = 0, sum_of_d = 0;
        for (long j = 0; j < x.extent(axis); ++j) {
            const float d = element(x, axis, a, b, j) - w.mean, g = element(dy, axis, a, b, j);
            dvariance += gamma(j) * g * d;
            dmean -= gamma(j) * g / deviation;
            sum_of_d += d;
            dgamma(j) += g * d / deviation;
            dbeta(j) += g;
        }
        dvariance *= -0.5f / (deviation * deviation * deviation);
        dmean -= dvariance * 2 * sum_of_d / n;
        for (long j = 0; j < x.extent(axis); ++j) {
            const float d = element(x, axis, a, b, j) - w.mean;
            element(dx, axis, a, b, j) =
                gamma(j) * element(dy, axis, a, b, j) / deviation + dvariance * 2 * d / n + dmean / n;
        }
    });
}

} // namespace softmax_layernorm
