// The log-ratio goes for the ratio.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var ratio(const Var& difference) const override { return limited(difference); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
