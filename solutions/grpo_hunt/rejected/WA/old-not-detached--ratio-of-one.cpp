// On-policy the ratio is written down as 1.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var ratio(const Var& difference) const override { return lp_old ? exp(limited(difference)) : Var(1); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
