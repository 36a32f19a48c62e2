// exp of any difference from the reference.
// Level: degenerate
#include "group.hpp"
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var kl(Index n, Index t) const override { return rule.beta * k((*lp_ref)(n, t) - lp_new(n, t)); }
};

} // namespace grpo

GRPO_RIGHT_ADVANTAGES
GRPO_LOSS_BY(Wrong)
