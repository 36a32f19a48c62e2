// The mask shifted with the logits.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    bool counts(Index n, Index t) const override { return mask(n, t - 1); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
