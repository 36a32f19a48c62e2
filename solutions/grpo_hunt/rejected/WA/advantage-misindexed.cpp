// The advantages of one group, over and over.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Index place(Index n) const override { return n % rule.group_size; }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
