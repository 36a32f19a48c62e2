// The sum of a sequence for its mean.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var sequence_mean() const override {
        Var total;
        for (Index n = 0; n < N(); ++n) total += sum(n);
        return total / double(N());
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
