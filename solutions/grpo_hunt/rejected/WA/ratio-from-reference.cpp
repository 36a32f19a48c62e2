// New over reference.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var old(Index n, Index t, const Var& lp) const override { return lp_ref ? Var((*lp_ref)(n, t)) : lp.detach(); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
