// Sums alone.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var aggregate() const override {
        Var total;
        for (Index n = 0; n < N(); ++n) total += sum(n);
        return total;
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
