// The plain difference.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var k(const Var& d) const override { return -limited(d); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
