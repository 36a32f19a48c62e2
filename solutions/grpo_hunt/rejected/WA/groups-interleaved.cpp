// Rewards viewed as (group_size, groups) instead of (groups, group_size).
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    std::vector<double> group_of(Index n) const override {
        std::vector<double> group;
        for (Index i = n % (N / rule.group_size); i < N; i += N / rule.group_size) group.push_back(rewards(i));
        return group;
    }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
