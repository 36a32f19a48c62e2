// Every term counts.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var selected(Index, Index, const Var& x) const override { return x; }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
