// The mean of means.
// Level: masks
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var token_mean() const override { return sequence_mean(); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
