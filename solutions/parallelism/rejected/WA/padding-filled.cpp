// Wrong: an index behind the last unit is clamped to it.
// Level: shard
#include "contract.hpp"

#include <algorithm>

namespace parallelism {

void shard(communicator& group, tensor<const float, 2> w1, tensor<const float, 1> b1, tensor<const float, 2> w2,
           tensor<float, 2> w1_part, tensor<float, 1> b1_part, tensor<float, 2> w2_part) {
    const std::ptrdiff_t width = b1_part.extent(0), last = b1.extent(0) - 1;
    for (std::ptrdiff_t j = 0; j < width; ++j) {
        const std::ptrdiff_t unit = std::min(group.rank() * width + j, last);
        b1_part(j) = b1(unit);
        for (std::ptrdiff_t i = 0; i < w1.extent(0); ++i) {
            w1_part(i, j) = w1(i, unit);
            w2_part(j, i) = w2(unit, i);
        }
    }
}

} // namespace parallelism
