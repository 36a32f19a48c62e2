// Rewards whitened over the batch, as PPO does with its advantages.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    std::vector<double> group_of(Index) const override {
        std::vector<double> all;
        for (Index i = 0; i < N; ++i) all.push_back(rewards(i));
        return all;
    }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
