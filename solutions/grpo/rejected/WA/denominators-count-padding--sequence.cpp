// mean(dim=1) of masked terms.
// Level: masks
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var sequence_mean() const override {
        Var total;
        for (Index n = 0; n < N(); ++n) total += sum(n) / double(T());
        return total / double(N());
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
