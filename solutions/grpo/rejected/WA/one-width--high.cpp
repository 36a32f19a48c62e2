// PPO's single epsilon, the higher one.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var clipped(const Var& r) const override { return clamp(r, 1 - rule.clip_high, 1 + rule.clip_high); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
