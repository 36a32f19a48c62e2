// The computed deviation compared with 0.
// Level: degenerate
#include "group.hpp"
#include "steps.hpp"

namespace grpo {

void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    each(rewards, rule, double(rule.ddof), [&](const Group& g, Index n) {
        const double d = rewards(n) - g.mean;
        advantage(n) = !(g.deviation > 0) ? 0 : rule.scale ? d / (g.deviation + rule.eps) : d;
    });
}

} // namespace grpo

GRPO_LOSS_BY(Steps)
