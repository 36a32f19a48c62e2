// The KL as a number.
// Level: gradient
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var kl(Index n, Index t) const override { return Steps::kl(n, t).value(); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
