// No KL.
// Level: kl
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    bool has_kl() const override { return false; }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
