// Rewarded for going away.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    double weight() const override { return -rule.beta; }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
