// The log-ratio as the ratio.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var ratio(Index n, Index t) const override { return limited(lp_new(n, t) - old(n, t)); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
