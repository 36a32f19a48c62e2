// Wrong by its traffic alone: gathers all partial sums and adds them up.
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
    std::vector<float> a, b;
    const std::ptrdiff_t T = y.extent(0), d = y.extent(1);
    const auto own = view(a, T, d), all = view(b, T * group.size(), d);
    partial_sum(x, w1_part, b1_part, w2_part, own);
    group.all_gather(own, all, 0);
    for (std::ptrdiff_t t = 0; t < T; ++t)
        for (std::ptrdiff_t c = 0; c < d; ++c) {
            float sum = b2(c);
            for (std::ptrdiff_t r = 0; r < group.size(); ++r) sum += all(r * T + t, c);
            y(t, c) = sum;
        }
}

} // namespace parallelism
