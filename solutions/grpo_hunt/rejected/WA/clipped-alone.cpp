// The minimum forgotten.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var surrogate(const Var&, const Var& clipped, double a) const override { return clipped * a; }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
