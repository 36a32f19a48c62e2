// lp_new for an absent lp_old, with its gradient.
// Level: gradient
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var old(Index n, Index t) const override { return lp_old ? Var((*lp_old)(n, t)) : lp_new(n, t); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
