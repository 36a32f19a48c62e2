// Wrong: the remainder goes to the first ranks, one unit each.
// Level: shard
#include "contract.hpp"

namespace parallelism {

void shard(communicator& group, tensor<const float, 2> w1, tensor<const float, 1> b1, tensor<const float, 2> w2,
           tensor<float, 2> w1_part, tensor<float, 1> b1_part, tensor<float, 2> w2_part) {
    const std::ptrdiff_t d = w1.extent(0), f = w1.extent(1), width = b1_part.extent(0);
    const std::ptrdiff_t r = group.rank(), even = f / group.size(), rest = f % group.size();
    const std::ptrdiff_t own = even + (r < rest ? 1 : 0), first = r * even + (r < rest ? r : rest);
    for (std::ptrdiff_t j = 0; j < width; ++j) {
        const std::ptrdiff_t unit = first + j;
        b1_part(j) = j < own ? b1(unit) : 0;
        for (std::ptrdiff_t i = 0; i < d; ++i) {
            w1_part(i, j) = j < own ? w1(i, unit) : 0;
            w2_part(j, i) = j < own ? w2(unit, i) : 0;
        }
    }
}

} // namespace parallelism
