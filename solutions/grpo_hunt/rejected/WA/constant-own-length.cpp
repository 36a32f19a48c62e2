// Divided by the tokens that there are.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var constant(const Var& total, double count) const override { return count > 0 ? total / count : Var(); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
