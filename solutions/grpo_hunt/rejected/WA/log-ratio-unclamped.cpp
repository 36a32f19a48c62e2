// The limit forgotten.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var ratio(const Var& difference) const override { return exp(difference); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
