// The limit kept for the ratio alone.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var k(const Var& d) const override { return exp(d) - d - 1; }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
