// GSPO: the geometric mean of ratios.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var ratio(Index n, Index) const override {
        Var total;
        for (Index t = 0; t < T(); ++t)
            if (counts(n, t)) total += limited(lp_new(n, t) - old(n, t));
        return exp(total / length(n));
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
