// Sums over tokens, a mean over sequences.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var mean(const Var& total, double) const override { return total; }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
