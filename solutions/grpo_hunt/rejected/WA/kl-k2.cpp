// Half the square.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var k(const Var& d) const override { return 0.5 * limited(d) * limited(d); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
