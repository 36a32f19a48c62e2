// Right: every sum by halves, every slice gathered into a plain array first.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace {

using assay::tensor;
using Index = std::ptrdiff_t;
using Row = std::vector<float>;

float sum_of(const std::function<float(std::size_t)>& term, std::size_t from, std::size_t to) {
    if (to - from <= 2) return to == from ? 0 : to - from == 1 ? term(from) : term(from) + term(from + 1);
    const std::size_t middle = from + (to - from) / 2;
    return sum_of(term, from, middle) + sum_of(term, middle, to);
}

/// Where slice number s of t lies in memory.
template <class T> struct Place {
    T* first;
    Index step;
    Place(tensor<T, 3> t, int axis, Index s) {
        const int outer = axis == 0 ? 1 : 0, inner = axis == 2 ? 1 : 2;
        first = t.data() + s / t.extent(inner) * t.stride(outer) + s % t.extent(inner) * t.stride(inner);
        step = t.stride(axis);
    }
    T& operator[](std::size_t j) const { return first[static_cast<Index>(j) * step]; }
};

Index slices(tensor<const float, 3> x, int axis) { return x.size() == 0 ? 0 : x.size() / x.extent(axis); }

Row gather(tensor<const float, 3> t, int axis, Index s) {
    const Place<const float> from(t, axis, s);
    Row row(static_cast<std::size_t>(t.extent(axis)));
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = from[j];
    return row;
}

/// Turns x into exp(x - max), and gives the sum of it.
float exponentials(Row& row) {
    const float max = *std::max_element(row.begin(), row.end());
    for (float& one : row) one = std::exp(one - max);
    return sum_of([&](std::size_t j) { return row[j]; }, 0, row.size());
}

/// Turns x into (x - mean) / sqrt(variance + eps), and gives the root.
float normalise(Row& row, float eps) {
    const auto n = static_cast<float>(row.size());
    const float mean = sum_of([&](std::size_t j) { return row[j]; }, 0, row.size()) / n;
    for (float& one : row) one -= mean;
    const float root = std::sqrt(sum_of([&](std::size_t j) { return row[j] * row[j]; }, 0, row.size()) / n + eps);
    for (float& one : row) one /= root;
    return root;
}

} // namespace

namespace softmax_layernorm {

void softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y) {
    for (Index s = 0; s < slices(x, axis); ++s) {
        Row row = gather(x, axis, s);
        const float sum = exponentials(row);
        const Place<float> out(y, axis, s);
        for (std::size_t j = 0; j < row.size(); ++j) out[j] = row[j] / sum;
    }
}

void log_softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y) {
    for (Index s = 0; s < slices(x, axis); ++s) {
        const Row in = gather(x, axis, s);
        Row row = in;
        const float log_sum = std::log(exponentials(row)), max = *std::max_element(in.begin(), in.end());
        const Place<float> out(y, axis, s);
        for (std::size_t j = 0; j < row.size(); ++j) out[j] = in[j] - max - log_sum;
    }
}

void softmax_backward(tensor<const float, 3> x, tensor<const float, 3> dy, int axis, tensor<float, 3> dx) {
    for (Index s = 0; s < slices(x, axis); ++s) {
        Row row = gather(x, axis, s);
        const Row g = gather(dy, axis, s);
        const float sum = exponentials(row);
        const float dot = sum_of([&](std::size_t j) { return row[j] * g[j]; }, 0, row.size()) / sum;
        const Place<float> out(dx, axis, s);
        for (std::size_t j = 0; j < row.size(); ++j) out[j] = row[j] * (g[j] - dot) / sum;
    }
}

void layernorm(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 1> beta, int axis, float eps,
               tensor<float, 3> y) {
    for (Index s = 0; s < slices(x, axis); ++s) {
        Row row = gather(x, axis, s);
        normalise(row, eps);
        const Place<float> out(y, axis, s);
        for (std::size_t j = 0; j < row.size(); ++j) out[j] = row[j] * gamma(j) + beta(j);
    }
}

void layernorm_backward(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 3> dy, int axis,
                        float eps, tensor<float, 3> dx, tensor<float, 1> dgamma, tensor<float, 1> dbeta) {
    for (Index j = 0; j < dgamma.extent(0); ++j) dgamma(j) = dbeta(j) = 0;
    for (Index s = 0; s < slices(x, axis); ++s) {
        Row row = gather(x, axis, s);
        const Row g = gather(dy, axis, s);
        const float root = normalise(row, eps), n = static_cast<float>(row.size());
        const float a = sum_of([&](std::size_t j) { return gamma(j) * g[j]; }, 0, row.size()) / n;
        const float c = sum_of([&](std::size_t j) { return gamma(j) * g[j] * row[j]; }, 0, row.size()) / n;
        const Place<float> out(dx, axis, s);
        for (std::size_t j = 0; j < row.size(); ++j) {
            out[j] = (gamma(j) * g[j] - a - row[j] * c) / root;
            dgamma(j) += g[j] * row[j];
            dbeta(j) += g[j];
        }
    }
}

} // namespace softmax_layernorm
