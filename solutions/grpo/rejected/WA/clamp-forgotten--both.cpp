// No clamp at all.
// Level: degenerate
#include "group.hpp"
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var ratio(Index n, Index t) const override { return exp(lp_new(n, t) - old(n, t)); }
    Var kl(Index n, Index t) const override { return rule.beta * k((*lp_ref)(n, t) - lp_new(n, t)); }
};

} // namespace grpo

GRPO_RIGHT_ADVANTAGES
GRPO_LOSS_BY(Wrong)
