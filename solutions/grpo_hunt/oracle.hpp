// The float64 truth of `grpo_hunt`, stage by stage and with the analytic gradient, and how far a careful program may
// stray from it.
#ifndef ASSAY_GRPO_HUNT_ORACLE_HPP
#define ASSAY_GRPO_HUNT_ORACLE_HPP

#include "core/exercise.hpp"
#include "oracle_inputs.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace assay::grpo_hunt_judge {

struct Bounded {
    double value = 0, bound = 0;
};

/// Everything a call gives, row-major.
struct Stages {
    std::vector<Bounded> log_probs, terms; // (N, T)
    std::vector<Bounded> advantage;        // (N)
    Bounded loss;
    std::vector<Bounded> logits_grad; // (N, T, V)
};

/// By formulas of its own: no line is shared with the hunt's fragments, and no Var is used.
Stages run_right(const Inputs& in);

/// The outputs that the problem's route compares.
std::vector<std::string> outputs_of(std::string_view route);

/// The exercise's Oracle. A mistake is the bug of that name in the hunt's program.
std::optional<Truths> oracle(const Problem& problem, std::string_view mistake, int form);

/// Every bug of the hunt, as a mistake.
std::vector<Mistake> mistakes();

/// The contract's preconditions, and no ratio or difference within 1e-3 of where it is clipped or clamped.
bool valid(const Problem& problem);

} // namespace assay::grpo_hunt_judge

#endif
