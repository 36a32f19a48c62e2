// Always divided.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    double scaled(double centred, double variance) const override { return centred / (std::sqrt(variance) + rule.eps); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
