// On-policy always.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var old(Index n, Index t) const override { return lp_new(n, t).detach(); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
