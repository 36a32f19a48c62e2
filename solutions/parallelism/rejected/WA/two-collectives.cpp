// Wrong by its traffic alone: a reduce_scatter and an all_gather where T divides, which is what an all_reduce does by
// itself, in two calls.
// Level: forward
#include "contract.hpp"

#include <vector>

namespace parallelism {

namespace {

tensor<float, 2> view(std::vector<float>& values, std::ptrdiff_t rows, std::ptrdiff_t columns) {
    values.resize(rows * columns);
    const std::ptrdiff_t extents[] = {rows, columns}, strides[] = {columns, 1};
    return {values.data(), extents, strides};
}

void partial_sum(tensor<const float, 2> x, tensor<const float, 2> w1, tensor<const float, 1> b1,
                 tensor<const float, 2> w2, tensor<float, 2> out) {
    std::vector<float> h(b1.extent(0));
    for (std::ptrdiff_t t = 0; t < x.extent(0); ++t) {
        for (std::ptrdiff_t j = 0; j < b1.extent(0); ++j) {
            float z = float(b1(j));
            for (std::ptrdiff_t i = 0; i < x.extent(1); ++i) z = float(z + x(t, i) * w1(i, j));
            h[j] = z > 0 ? z * z : 0;
        }
        for (std::ptrdiff_t c = 0; c < out.extent(1); ++c) {
            float sum = float(0);
            for (std::ptrdiff_t j = 0; j < b1.extent(0); ++j) sum = float(sum + h[j] * w2(j, c));
            out(t, c) = sum;
        }
    }
}

} // namespace

void forward(communicator& group, tensor<const float, 2> x, tensor<const float, 2> w1_part,
             tensor<const float, 1> b1_part, tensor<const float, 2> w2_part, tensor<const float, 1> b2,
             tensor<float, 2> y) {
    const std::ptrdiff_t T = y.extent(0), n = group.size();
    std::vector<float> a, b, c;
    const auto own = view(a, T, y.extent(1)), sum = view(c, T, y.extent(1));
    partial_sum(x, w1_part, b1_part, w2_part, own);
    if (T % n == 0) {
        const auto piece = view(b, T / n, y.extent(1));
        group.reduce_scatter(own, piece, 0);
        group.all_gather(piece, sum, 0);
    } else {
        group.all_reduce(own);
    }
    const auto& right = T % n == 0 ? sum : own;
    for (std::ptrdiff_t t = 0; t < T; ++t)
        for (std::ptrdiff_t k = 0; k < y.extent(1); ++k) y(t, k) = right(t, k) + b2(k);
}

} // namespace parallelism
