// The max of two terms, as for a loss, of an objective.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var policy(Index n, Index t) const override {
        const Var r = ratio(n, t), A = advantage(n);
        return max(r * A, clipped(r) * A);
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
