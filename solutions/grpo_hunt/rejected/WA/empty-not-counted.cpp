// A mean over the sequences that have one.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var sequence_mean(const std::vector<Var>& sums) const override {
        Var mean;
        double filled = 0;
        for (Index n = 0; n < N; ++n) filled += length(n) > 0 ? 1 : 0;
        for (Index n = 0; n < N; ++n)
            if (length(n) > 0) mean += sums[n] / (length(n) * filled);
        return mean;
    }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
