// Answers to one prompt looked for N / G apart.
// Level: advantages
#include "group.hpp"

namespace grpo {

void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    const Index groups = rewards.extent(0) / rule.group_size;
    for (Index n = 0; n < rewards.extent(0); ++n) {
        const Group g(rewards, n % groups, rewards.extent(0), double(rule.ddof), groups);
        const double d = rewards(n) - g.mean;
        advantage(n) = g.equal ? 0 : rule.scale ? d / (g.deviation + rule.eps) : d;
    }
}

} // namespace grpo
