// RLOO's baseline.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    double baseline(const std::vector<double>& group, double own) const override {
        return (sum_of(group) - own) / (size_of(group) - 1);
    }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
