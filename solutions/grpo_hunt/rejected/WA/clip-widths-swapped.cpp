// The wider edge below.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var clip(const Var& r) const override { return clamp(r, 1 - rule.clip_high, 1 + rule.clip_low); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
