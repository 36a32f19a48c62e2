// Only what would overflow is held.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var ratio(const Var& difference) const override { return exp(min(difference, rule.log_ratio_limit)); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
