// The mean over sequences that have tokens.
// Level: degenerate
#include "group.hpp"
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var sequence_mean() const override {
        Var total;
        double sequences = 0;
        for (Index n = 0; n < N(); ++n) {
            if (length(n) == 0) continue;
            total += sum(n) / length(n);
            sequences += 1;
        }
        return mean(total, sequences);
    }
};

} // namespace grpo

GRPO_RIGHT_ADVANTAGES
GRPO_LOSS_BY(Wrong)
