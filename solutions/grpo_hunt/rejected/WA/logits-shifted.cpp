// Logits and ids side by side, neither of them shifted.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var logit(Index n, Index t, Index v) const override { return logits(n, t, v) / rule.temperature; }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
