// The clip of a number.
// Level: gradient
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var clipped(const Var& r) const override { return Steps::clipped(r.value()); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
