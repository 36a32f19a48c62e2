// A ratio of 1 as a constant, where there is no lp_old.
// Level: gradient
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var ratio(Index n, Index t) const override { return lp_old ? Steps::ratio(n, t) : Var(1); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
