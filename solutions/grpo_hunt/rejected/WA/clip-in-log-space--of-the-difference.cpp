// The log-ratio clipped before exp.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var clip(const Var& r) const override { return exp(clamp(log(r), -rule.clip_low, rule.clip_high)); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
