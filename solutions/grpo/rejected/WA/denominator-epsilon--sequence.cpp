// 1e-8 in the mean of a sequence alone.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var sequence_mean() const override {
        Var total;
        for (Index n = 0; n < N(); ++n) total += sum(n) / (length(n) + 1e-8);
        return total / double(N());
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
