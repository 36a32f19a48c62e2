// A group of one keeps mean 0 and deviation 1.
// Level: degenerate
#include "group.hpp"
#include "steps.hpp"

namespace grpo {

void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    if (rule.group_size > 1) return right_advantages(rewards, rule, advantage);
    for (Index n = 0; n < rewards.extent(0); ++n) advantage(n) = rule.scale ? rewards(n) / (1 + rule.eps) : rewards(n);
}

} // namespace grpo

GRPO_LOSS_BY(Steps)
