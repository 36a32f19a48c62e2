// PPO's single epsilon.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var clipped(const Var& r) const override { return clamp(r, 1 - rule.clip_low, 1 + rule.clip_low); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
