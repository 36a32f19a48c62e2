// The root forgotten.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    double scaled(double centred, double variance) const override {
        return rule.scale ? centred / (variance + rule.eps) : centred;
    }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
