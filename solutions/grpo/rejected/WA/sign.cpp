// An objective for a loss.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var minus(const Var& objective) const override { return objective; }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
