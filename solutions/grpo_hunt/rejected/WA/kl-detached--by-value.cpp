// The KL term computed in plain numbers.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var kl(Index n, Index t, const Var& lp) const override {
        const double d = std::clamp((*lp_ref)(n, t) - lp.value(), -rule.log_ratio_limit, rule.log_ratio_limit);
        return std::exp(d) - d - 1;
    }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
