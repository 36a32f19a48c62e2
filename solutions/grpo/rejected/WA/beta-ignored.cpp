// The KL unweighted.
// Level: kl
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var kl(Index n, Index t) const override { return k(limited((*lp_ref)(n, t) - lp_new(n, t))); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
