// Half the square.
// Level: kl
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var k(const Var& d) const override { return d * d / 2; }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
