// mean() of masked terms.
// Level: masks
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var token_mean() const override {
        Var total;
        for (Index n = 0; n < N(); ++n) total += sum(n);
        return total / double(N() * T());
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
