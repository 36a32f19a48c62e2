// The mask not looked at.
// Level: masks
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    bool counts(Index, Index) const override { return true; }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
