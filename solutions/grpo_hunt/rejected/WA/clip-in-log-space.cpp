// Edges at exp(-clip_low) and exp(clip_high).
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var clip(const Var& r) const override { return clamp(r, std::exp(-rule.clip_low), std::exp(rule.clip_high)); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
