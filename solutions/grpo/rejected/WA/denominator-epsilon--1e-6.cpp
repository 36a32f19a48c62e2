// 1e-6 against 0/0.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var mean(const Var& total, double count) const override { return total / (count + 1e-6); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
