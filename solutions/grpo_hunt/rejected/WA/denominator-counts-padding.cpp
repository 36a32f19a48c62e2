// A mean over the row.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    double length(Index) const override { return static_cast<double>(T - 1); }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
