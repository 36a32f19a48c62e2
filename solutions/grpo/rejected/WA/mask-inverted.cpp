// True taken for padding.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    bool counts(Index n, Index t) const override { return !mask(n, t); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
