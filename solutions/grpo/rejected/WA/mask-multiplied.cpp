// The mask as a factor.
// Level: masks
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var inside(Index n, Index t) const override { return term(n, t) * double(mask(n, t)); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
