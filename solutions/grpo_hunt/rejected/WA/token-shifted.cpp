// The ids shifted as the logits are, which shifts nothing against the other.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Index target(Index n, Index t) const override { return tokens(n, t - 1); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
