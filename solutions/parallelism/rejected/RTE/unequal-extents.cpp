// Rank 1 gathers one element less than the others.
// Level: sequence
#include "contract.hpp"

#include <vector>

namespace parallelism {

void sequence(communicator& group, tensor<const float, 2> x_part, tensor<const float, 2> w1_part,
              tensor<const float, 1> b1_part, tensor<const float, 2> w2_part, tensor<const float, 1> b2,
              tensor<float, 2> y_part) {
    std::vector<float> whole(x_part.size() * group.size() + 1);
    const std::ptrdiff_t extents[] = {x_part.size() - (group.rank() == 1 ? 1 : 0)}, strides[] = {1};
    const std::ptrdiff_t all[] = {static_cast<std::ptrdiff_t>(whole.size())};
    std::vector<float> own(whole.size());
    group.all_gather(tensor<const float, 1>(own.data(), extents, strides),
                     tensor<float, 1>(whole.data(), all, strides));
    for (std::ptrdiff_t t = 0; t < y_part.extent(0); ++t)
        for (std::ptrdiff_t c = 0; c < y_part.extent(1); ++c) y_part(t, c) = whole[t] + b2(c) + w1_part(0, 0) * 0;
    (void)b1_part, (void)w2_part;
}

} // namespace parallelism
