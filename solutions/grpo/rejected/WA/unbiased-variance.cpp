// torch's default.
// Level: advantages
#include "group.hpp"

namespace grpo {

void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    each(rewards, rule, 1, [&](const Group& g, Index n) {
        const double d = rewards(n) - g.mean;
        advantage(n) = g.equal ? 0 : rule.scale ? d / (g.deviation + rule.eps) : d;
    });
}

} // namespace grpo
