// No clip.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var policy(Index n, Index t) const override { return ratio(n, t) * advantage(n); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
