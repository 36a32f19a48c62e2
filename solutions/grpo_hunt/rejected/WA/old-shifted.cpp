// The old log-probs shifted with the logits.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var old(Index n, Index t, const Var& lp) const override { return lp_old ? Var((*lp_old)(n, t - 1)) : lp.detach(); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
