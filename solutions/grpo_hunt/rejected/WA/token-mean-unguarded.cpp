// Nothing over nothing.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var token_mean(const Var& total, double count) const override { return total / count; }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
