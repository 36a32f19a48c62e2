// The plain log-ratio.
// Level: kl
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var k(const Var& d) const override { return -d; }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
