// The clip before exp.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var clipped(const Var& r) const override { return exp(clamp(log(r), -rule.clip_low, rule.clip_high)); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
