// The policy masked, then the KL added.
// Level: kl
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var inside(Index n, Index t) const override {
        const Var masked = counts(n, t) ? policy(n, t) : Var(0);
        return has_kl() ? masked - kl(n, t) : masked;
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
