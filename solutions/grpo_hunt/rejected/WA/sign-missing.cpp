// An objective, minimised.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var loss_of(const Var& objective) const override { return objective; }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
