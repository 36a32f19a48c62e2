// Wrong: every rank keeps the first block.
// Level: shard
#include "contract.hpp"

namespace parallelism {

void shard(communicator& group, tensor<const float, 2> w1, tensor<const float, 1> b1, tensor<const float, 2> w2,
           tensor<float, 2> w1_part, tensor<float, 1> b1_part, tensor<float, 2> w2_part) {
    const std::ptrdiff_t d = w1.extent(0), f = w1.extent(1), width = b1_part.extent(0);
    for (std::ptrdiff_t j = 0; j < width; ++j) {
        const std::ptrdiff_t unit = j;
        const bool exists = unit < f;
        b1_part(j) = exists ? b1(unit) : 0;
        for (std::ptrdiff_t i = 0; i < d; ++i) {
            w1_part(i, j) = exists ? w1(i, unit) : 0;
            w2_part(j, i) = exists ? w2(unit, i) : 0;
        }
    }
}

} // namespace parallelism
