// 0/0 in an empty batch.
// Level: degenerate
#include "group.hpp"
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var token_mean() const override {
        Var total;
        double count = 0;
        for (Index n = 0; n < N(); ++n) {
            total += sum(n);
            count += length(n);
        }
        return total / count;
    }
};

} // namespace grpo

GRPO_RIGHT_ADVANTAGES
GRPO_LOSS_BY(Wrong)
