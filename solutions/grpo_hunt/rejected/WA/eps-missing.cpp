// The textbook's formula, without eps.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    double scaled(double centred, double variance) const override {
        return rule.scale ? centred / std::sqrt(variance) : centred;
    }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
