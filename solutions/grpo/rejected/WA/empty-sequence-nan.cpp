// 0/0 in an empty sequence.
// Level: degenerate
#include "group.hpp"
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var sequence_mean() const override {
        Var total;
        for (Index n = 0; n < N(); ++n) total += sum(n) / length(n);
        return total / double(N());
    }
};

} // namespace grpo

GRPO_RIGHT_ADVANTAGES
GRPO_LOSS_BY(Wrong)
