// The hunt's program in process, with any of its bugs.
#ifndef ASSAY_GRPO_HUNT_HUNT_MODEL_HPP
#define ASSAY_GRPO_HUNT_HUNT_MODEL_HPP

#include "core/problem.hpp"

#include <string_view>

namespace assay::grpo_hunt_judge {

/// What the chosen program (hunted::choose_grpo_hunt) answers, the outputs that the problem's route compares.
Truths run_chosen(const Problem& problem);

/// Right but for this one bug.
Truths run_with(std::string_view bug, const Problem& problem);

} // namespace assay::grpo_hunt_judge

#endif
