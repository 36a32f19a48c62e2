// The ratio as a number.
// Level: gradient
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var ratio(Index n, Index t) const override { return Steps::ratio(n, t).value(); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
