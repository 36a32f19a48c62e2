// The group's mean, the batch's deviation.
// Level: advantages
#include "group.hpp"

namespace grpo {

void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    const Group batch(rewards, 0, rewards.extent(0), double(rule.ddof));
    each(rewards, rule, double(rule.ddof), [&](const Group& g, Index n) {
        const double d = rewards(n) - g.mean;
        advantage(n) = g.equal ? 0 : rule.scale ? d / (batch.deviation + rule.eps) : d;
    });
}

} // namespace grpo
