// Never divided.
// Level: advantages
#include "group.hpp"

namespace grpo {

void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    each(rewards, rule, double(rule.ddof),
         [&](const Group& g, Index n) { advantage(n) = g.equal ? 0 : rewards(n) - g.mean; });
}

} // namespace grpo
