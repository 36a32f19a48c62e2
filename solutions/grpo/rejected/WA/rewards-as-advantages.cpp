// No baseline at all.
// Level: advantages
#include "group.hpp"

namespace grpo {

void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    for (Index n = 0; n < rewards.extent(0); ++n) advantage(n) = rewards(n);
}

} // namespace grpo
