// Only the group of one is thought of.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    bool is_flat(const std::vector<double>& group) const override { return group.size() < 2; }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
