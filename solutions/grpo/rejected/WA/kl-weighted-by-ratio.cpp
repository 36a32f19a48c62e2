// The KL importance-weighted like the policy term.
// Level: kl
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var kl(Index n, Index t) const override { return ratio(n, t) * Steps::kl(n, t); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
