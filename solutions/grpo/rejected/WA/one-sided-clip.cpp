// Clipped above.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var clipped(const Var& r) const override { return min(r, 1 + rule.clip_high); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
