// One mean over all tokens.
// Level: masks
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var sequence_mean() const override { return token_mean(); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
