// The width of the tensors for the constant.
// Level: masks
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var constant() const override {
        Var total;
        for (Index n = 0; n < N(); ++n) total += sum(n);
        return total / double(N() * T());
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
