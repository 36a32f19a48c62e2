// The maximum of the loss, taken for that of the objective.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var surrogate(const Var& r, const Var& clipped, double a) const override { return max(r * a, clipped * a); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
