// lp_ref read at beta 0.
// Level: degenerate
#include "group.hpp"
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    bool has_kl() const override { return lp_ref.has_value(); }
};

} // namespace grpo

GRPO_RIGHT_ADVANTAGES
GRPO_LOSS_BY(Wrong)
