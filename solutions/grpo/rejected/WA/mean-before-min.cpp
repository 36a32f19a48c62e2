// Two sums a sequence, then the min.
// Level: ratio
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var sequence_mean() const override {
        Var total;
        for (Index n = 0; n < N(); ++n) {
            const Var both = lesser(n, n + 1);
            total += mean(both, length(n));
        }
        return total / double(N());
    }
    Var token_mean() const override {
        double count = 0;
        for (Index n = 0; n < N(); ++n) count += length(n);
        return mean(lesser(0, N()), count);
    }
    Var lesser(Index first, Index end) const {
        Var plain, moved;
        for (Index n = first; n < end; ++n)
            for (Index t = 0; t < T(); ++t) {
                plain += ratio(n, t) * advantage(n);
                moved += clipped(ratio(n, t)) * advantage(n);
            }
        return min(plain, moved);
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
