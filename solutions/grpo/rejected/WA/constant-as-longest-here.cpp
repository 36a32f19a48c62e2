// This batch's longest for the constant.
// Level: masks
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var constant() const override {
        Var total;
        for (Index n = 0; n < N(); ++n) total += sum(n);
        double most = 1;
        for (Index n = 0; n < N(); ++n) most = length(n) > most ? length(n) : most;
        return total / (double(N()) * most);
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
