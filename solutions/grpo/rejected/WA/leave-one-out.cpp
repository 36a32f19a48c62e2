// The mean of the others.
// Level: advantages
#include "group.hpp"

namespace grpo {

void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    each(rewards, rule, double(rule.ddof), [&](const Group& g, Index n) {
        const double others = (g.mean * g.count - rewards(n)) / (g.count - 1), d = rewards(n) - others;
        advantage(n) = g.equal ? 0 : rule.scale ? d / (g.deviation + rule.eps) : d;
    });
}

} // namespace grpo
