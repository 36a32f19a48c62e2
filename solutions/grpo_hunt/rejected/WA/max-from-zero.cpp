// The largest logit, unless all are below 0.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    double lowest_top() const override { return 0; }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
