// The min of ratios.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var policy(Index n, Index t) const override {
        const Var r = ratio(n, t);
        return min(r, clipped(r)) * advantage(n);
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
