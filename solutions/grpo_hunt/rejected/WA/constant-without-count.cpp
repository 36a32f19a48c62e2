// Divided by the longest length alone.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var constant(const Var& total, double) const override { return total / static_cast<double>(rule.longest); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
