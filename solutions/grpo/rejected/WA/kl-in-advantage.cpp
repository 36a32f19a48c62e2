// The KL as a reward a token.
// Level: kl
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var term(Index n, Index t) const override {
        const Var r = ratio(n, t), A = has_kl() ? advantage(n) - kl(n, t).value() : advantage(n);
        return min(r * A, clipped(r) * A);
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
