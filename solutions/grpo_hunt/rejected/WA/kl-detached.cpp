// A penalty that pulls nowhere.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var kl(Index n, Index t, const Var& lp) const override { return k((*lp_ref)(n, t) - lp.detach()); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
