// Wrong: W1 by rows and W2 by columns, where d divides by n; the pieces have as many elements and are copied
// through.
// Level: shard
#include "contract.hpp"

namespace parallelism {

void shard(communicator& group, tensor<const float, 2> w1, tensor<const float, 1> b1, tensor<const float, 2> w2,
           tensor<float, 2> w1_part, tensor<float, 1> b1_part, tensor<float, 2> w2_part) {
    const std::ptrdiff_t n = group.size(), r = group.rank(), d = w1.extent(0), f = w1.extent(1),
                         width = b1_part.extent(0);
    const bool other = d % n == 0 && f % n == 0;
    const std::ptrdiff_t piece = d / n;
    for (std::ptrdiff_t j = 0; j < width; ++j) {
        const std::ptrdiff_t unit = r * width + j;
        b1_part(j) = unit < f ? b1(unit) : 0;
        for (std::ptrdiff_t i = 0; i < d; ++i) {
            const std::ptrdiff_t a = i * width + j, b = j * d + i;
            if (other) {
                w1_part(i, j) = w1(r * piece + a / f, a % f);
                w2_part(j, i) = w2(b / piece, r * piece + b % piece);
            } else {
                w1_part(i, j) = unit < f ? w1(i, unit) : 0;
                w2_part(j, i) = unit < f ? w2(unit, i) : 0;
            }
        }
    }
}

} // namespace parallelism
