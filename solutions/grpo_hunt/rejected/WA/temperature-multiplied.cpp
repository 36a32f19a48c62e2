// Sharper where the sampler was flatter.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var logit(Index n, Index t, Index v) const override { return logits(n, t - 1, v) * rule.temperature; }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
