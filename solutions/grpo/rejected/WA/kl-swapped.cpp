// new - ref in the exponent.
// Level: kl
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var kl(Index n, Index t) const override { return rule.beta * k(limited(lp_new(n, t) - (*lp_ref)(n, t))); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
