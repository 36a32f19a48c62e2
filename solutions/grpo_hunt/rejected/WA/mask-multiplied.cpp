// NaN times 0 is NaN.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var selected(Index n, Index t, const Var& x) const override { return x * (counts(n, t) ? 1.0 : 0.0); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
