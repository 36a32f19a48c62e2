// Only large ratios are held.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var clip(const Var& r) const override { return r.value() > 1 + rule.clip_high ? Var(1 + rule.clip_high) : r; }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
