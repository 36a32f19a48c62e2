// New less reference in k3.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var kl(Index n, Index t, const Var& lp) const override { return k(lp - (*lp_ref)(n, t)); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
