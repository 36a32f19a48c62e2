// Probabilities first, their quotient clamped.
// Level: degenerate
#include "group.hpp"
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var ratio(Index n, Index t) const override {
        const double most = std::exp(rule.log_ratio_limit);
        return clamp(exp(lp_new(n, t)) / exp(old(n, t)), 1 / most, most);
    }
};

} // namespace grpo

GRPO_RIGHT_ADVANTAGES
GRPO_LOSS_BY(Wrong)
