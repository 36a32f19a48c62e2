// As in a layer norm.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    double scaled(double centred, double variance) const override {
        return rule.scale ? centred / std::sqrt(variance + rule.eps) : centred;
    }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
