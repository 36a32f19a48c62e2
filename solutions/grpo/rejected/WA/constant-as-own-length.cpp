// Each sequence by its own length.
// Level: masks
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var constant() const override { return sequence_mean(); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
