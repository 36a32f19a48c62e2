// Wrong: places without a unit are left as they were.
// Level: shard
#include "contract.hpp"

namespace parallelism {

void shard(communicator& group, tensor<const float, 2> w1, tensor<const float, 1> b1, tensor<const float, 2> w2,
           tensor<float, 2> w1_part, tensor<float, 1> b1_part, tensor<float, 2> w2_part) {
    const std::ptrdiff_t width = b1_part.extent(0);
    for (std::ptrdiff_t j = 0; j < width && group.rank() * width + j < b1.extent(0); ++j) {
        const std::ptrdiff_t unit = group.rank() * width + j;
        b1_part(j) = b1(unit);
        for (std::ptrdiff_t i = 0; i < w1.extent(0); ++i) {
            w1_part(i, j) = w1(i, unit);
            w2_part(j, i) = w2(unit, i);
        }
    }
}

} // namespace parallelism
