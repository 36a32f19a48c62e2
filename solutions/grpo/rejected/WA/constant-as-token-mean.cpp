// By the number of tokens.
// Level: masks
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var constant() const override { return token_mean(); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
