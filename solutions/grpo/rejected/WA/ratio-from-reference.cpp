// The reference in the ratio.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var old(Index n, Index t) const override {
        return lp_ref ? Var((*lp_ref)(n, t)) : lp_old ? Var((*lp_old)(n, t)) : lp_new(n, t).detach();
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
