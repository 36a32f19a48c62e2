// As another has it.
// Level: advantages
#include "group.hpp"

namespace grpo {

void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    each(rewards, rule, double(rule.ddof), [&](const Group& g, Index n) {
        const double d = rewards(n) - g.mean;
        advantage(n) = g.equal ? 0 : rule.scale ? d / (g.deviation + 1e-6) : d;
    });
}

} // namespace grpo
