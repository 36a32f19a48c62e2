// Two means a sequence, then the min.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var sequence_mean() const override {
        Var total;
        for (Index n = 0; n < N(); ++n) {
            Var plain, moved;
            for (Index t = 0; t < T(); ++t) {
                plain += ratio(n, t) * advantage(n) / double(T());
                moved += clipped(ratio(n, t)) * advantage(n) / double(T());
            }
            total += min(plain, moved);
        }
        return total / double(N());
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
