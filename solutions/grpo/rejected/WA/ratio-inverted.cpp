// Old over new.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var ratio(Index n, Index t) const override { return exp(limited(old(n, t) - lp_new(n, t))); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
