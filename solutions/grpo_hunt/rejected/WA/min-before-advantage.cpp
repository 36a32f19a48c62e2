// The advantage taken out of the minimum, as if it were positive.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var surrogate(const Var& r, const Var& clipped, double a) const override { return a * min(r, clipped); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
