// Mean and deviation of the whole batch.
// Level: advantages
#include "group.hpp"

namespace grpo {

void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    const Group batch(rewards, 0, rewards.extent(0), double(rule.ddof));
    for (Index n = 0; n < rewards.extent(0); ++n) {
        const double d = rewards(n) - batch.mean;
        advantage(n) = batch.equal ? 0 : rule.scale ? d / (batch.deviation + rule.eps) : d;
    }
}

} // namespace grpo
