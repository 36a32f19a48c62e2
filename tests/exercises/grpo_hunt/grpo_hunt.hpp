// What the tests of `grpo_hunt` share: the exercise, its oracle's stages, and the statement's worked example.
#ifndef ASSAY_TESTS_GRPO_HUNT_HPP
#define ASSAY_TESTS_GRPO_HUNT_HPP

#include "../../../solutions/grpo_hunt/oracle.hpp"
#include "catch.hpp"
#include "core/registry.hpp"

#include <vector>

namespace assay::grpo_hunt_test {

using namespace assay::grpo_hunt_judge;

inline const Exercise& exercise() {
    const Exercise* found = find_exercise("grpo_hunt");
    REQUIRE(found != nullptr);
    return *found;
}

/// The inputs of README.md's example.
inline Inputs worked_example() {
    Inputs in;
    in.N = 2;
    in.T = 3;
    in.V = 3;
    in.logits = {0, 1, 2, 1, 0, -1, 7, 7, 7, 0, 0, 0, 2, 0, 1, 7, 7, 7};
    in.tokens = {0, 2, 1, 1, 1, 2};
    in.mask = {0, 1, 1, 0, 1, 0};
    in.off_policy = in.has_ref = true;
    in.lp_old = {0, -1, -1.1, 0, -1, 0};
    in.lp_ref = {0, -0.9, -1.5, 0, -1.3, 0};
    in.rewards = {1, 0};
    in.group_size = 2;
    in.eps = 0.1;
    in.temperature = 2;
    in.clip_low = in.clip_high = 0.2;
    in.limit = 10;
    in.beta = 0.1;
    return in;
}

} // namespace assay::grpo_hunt_test

#endif
