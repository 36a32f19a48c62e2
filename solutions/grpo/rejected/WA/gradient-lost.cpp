// The loss as a number.
// Level: gradient
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var minus(const Var& objective) const override { return -objective.value(); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
