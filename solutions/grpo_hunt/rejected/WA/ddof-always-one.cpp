// torch's default.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    double divisor(const std::vector<double>& group) const override { return size_of(group) - 1; }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
