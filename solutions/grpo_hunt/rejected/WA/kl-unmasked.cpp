// KL over prompt and padding too.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var selected_kl(Index, Index, const Var& x) const override { return x; }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
