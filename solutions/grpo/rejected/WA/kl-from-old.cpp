// The old policy for the reference.
// Level: kl
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var kl(Index n, Index t) const override { return rule.beta * k(limited(old(n, t) - lp_new(n, t))); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
