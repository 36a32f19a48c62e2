// Right: softmax as exp of log-softmax, powers of 2 with log2(e) folded in, sums from the back, layernorm on deviations
// that are kept in a buffer and centred twice.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

using assay::tensor;
using Index = std::ptrdiff_t;
using Row = std::vector<float>;

/// Copies every slice of x out, lets `change` rewrite it, and copies it to y.
template <class Change> void by_rows(tensor<const float, 3> x, int axis, tensor<float, 3> y, Change change) {
    Row row(static_cast<std::size_t>(x.extent(axis)));
    if (row.empty()) return;
    const int outer = (axis + 1) % 3, inner = (axis + 2) % 3;
    Index at[3];
    for (at[outer] = 0; at[outer] < x.extent(outer); ++at[outer])
        for (at[inner] = 0; at[inner] < x.extent(inner); ++at[inner]) {
            for (at[axis] = 0; at[axis] < x.extent(axis); ++at[axis])
                row[static_cast<std::size_t>(at[axis])] = x(at[0], at[1], at[2]);
            change(row, at);
            for (at[axis] = 0; at[axis] < x.extent(axis); ++at[axis])
                y(at[0], at[1], at[2]) = row[static_cast<std::size_t>(at[axis])];
        }
}

void to_log_softmax(Row& row) {
    const float max = *std::max_element(row.begin(), row.end());
    float sum = 0;
    for (std::size_t j = row.size(); j-- > 0;) sum += std::exp2((row[j] -= max) * 1.44269504f);
    const float log_sum = std::log2(sum) * 0.693147181f;
    for (float& one : row) one -= log_sum;
}

/// Leaves x - mean in the row and gives 1 / sqrt(variance + eps).
float centre(Row& row, float eps) {
    const auto n = static_cast<float>(row.size());
    float squares = 0;
    for (int pass = 0; pass < 2; ++pass) { // the second takes out what the first rounding of the mean left
        float sum = 0;
        for (std::size_t j = row.size(); j-- > 0;) sum += row[j];
        for (float& one : row) one -= sum / n;
    }
    for (const float one : row) squares += one * one;
    return 1 / std::sqrt(squares / n + eps);
}

} // namespace

namespace softmax_layernorm {

void log_softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y) {
    by_rows(x, axis, y, [](Row& row, const Index*) { to_log_softmax(row); });
}

void softmax(tensor<const float, 3> x, int axis, tensor<float, 3> y) {
    by_rows(x, axis, y, [](Row& row, const Index*) {
        to_log_softmax(row);
        for (float& one : row) one = std::exp(one);
    });
}

void softmax_backward(tensor<const float, 3> x, tensor<const float, 3> dy, int axis, tensor<float, 3> dx) {
    by_rows(x, axis, dx, [&](Row& row, const Index* slice) {
        Index at[3] = {slice[0], slice[1], slice[2]};
        to_log_softmax(row);
        float dot = 0;
        for (at[axis] = x.extent(axis); at[axis]-- > 0;)
            dot += std::exp(row[static_cast<std::size_t>(at[axis])]) * dy(at[0], at[1], at[2]);
        for (at[axis] = 0; at[axis] < x.extent(axis); ++at[axis]) {
            float& one = row[static_cast<std::size_t>(at[axis])];
            one = std::exp(one) * (dy(at[0], at[1], at[2]) - dot);
        }
    });
}

void layernorm(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 1> beta, int axis, float eps,
               tensor<float, 3> y) {
    by_rows(x, axis, y, [&](Row& row, const Index*) {
        const float r = centre(row, eps);
        for (std::size_t j = 0; j < row.size(); ++j) row[j] = std::fma(gamma(j) * r, row[j], beta(j));
    });
}

void layernorm_backward(tensor<const float, 3> x, tensor<const float, 1> gamma, tensor<const float, 3> dy, int axis,
                        float eps, tensor<float, 3> dx, tensor<float, 1> dgamma, tensor<float, 1> dbeta) {
    Row by_gamma(static_cast<std::size_t>(x.extent(axis))), by_beta(by_gamma);
    by_rows(x, axis, dx, [&](Row& row, const Index* slice) {
        Index at[3] = {slice[0], slice[1], slice[2]};
        const float r = centre(row, eps);
        const auto n = static_cast<float>(row.size());
        Row g(row.size());
        float sum = 0, dot = 0;
        for (std::size_t j = row.size(); j-- > 0;) {
            at[axis] = static_cast<Index>(j);
            const float out = dy(at[0], at[1], at[2]);
            row[j] *= r;
            g[j] = gamma(j) * out;
            sum += g[j];
            dot += g[j] * row[j];
            by_gamma[j] += out * row[j];
            by_beta[j] += out;
        }
        for (std::size_t j = 0; j < row.size(); ++j) row[j] = r / n * (n * g[j] - sum - row[j] * dot);
    });
    for (std::size_t j = 0; j < by_gamma.size(); ++j) {
        dgamma(j) = by_gamma[j];
        dbeta(j) = by_beta[j];
    }
}

} // namespace softmax_layernorm
