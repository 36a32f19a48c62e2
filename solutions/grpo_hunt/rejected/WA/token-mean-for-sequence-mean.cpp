// Every token alike.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var sequence_mean(const std::vector<Var>& sums) const override {
        Var total;
        double count = 0;
        for (Index n = 0; n < N; ++n) {
            total += sums[n];
            count += length(n);
        }
        return count > 0 ? total / count : Var();
    }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
