// The policy at temperature 1, whatever it was sampled at.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var logit(Index n, Index t, Index v) const override { return logits(n, t - 1, v); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
