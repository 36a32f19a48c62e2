// exp(d) - d.
// Level: kl
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var k(const Var& d) const override { return exp(d) - d; }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
