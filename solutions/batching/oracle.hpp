// The truth of `batching`: its calculators, the runs of its reference batcher, and each named mistake as a switch.
#ifndef ASSAY_BATCHING_ORACLE_HPP
#define ASSAY_BATCHING_ORACLE_HPP

#include "core/exercise.hpp"
#include "core/slips.hpp"
#include "oracle_world.hpp"

#include <span>
#include <string>
#include <vector>

namespace assay::batching_judge {

/// The exercise's oracle, with any number of mistakes at once.
Truths oracle(const Problem& problem, const Slips& on);

/// Routes that a simulation answers: "batcher" (level 2) and "faults" (level 4).
bool is_run(const Problem& problem);

std::vector<Mistake> mistakes();

/// Fields that are there and fit each other, and runs that a judge can afford. Invalid input of level 1 is a valid
/// question.
bool valid(const Problem& problem);

/// The run that a problem of route "batcher" or "faults" asks for.
Workload workload_of(const Problem& problem);

/// What a run of either level gives: the truths' items and tensors, and the log for the story.
Outputs outputs_of(const World& world, bool resilient);

/// The run that gave these outputs, told; where the batcher is fully specified, with the first thing that should have
/// been otherwise.
std::vector<std::string> story(const Problem& problem, const Outputs& outputs);

/// The arrivals just before the first thing that went wrong: few of them first.
std::vector<Suspects> suspects(const Problem& problem, const Outputs& outputs);

/// Parts of the oracle, a level each.
Truths plan_truths(const Problem& problem, const Slips& on);
Truths load_test_truths(const Problem& problem, const Slips& on);
Truths best_timeout_truths(const Problem& problem, const Slips& on);
Truths compare_truths(const Problem& problem, const Slips& on);

/// The elements of an integer tensor.
std::vector<std::int64_t> integers_of(const Problem& problem, std::string_view name);

} // namespace assay::batching_judge

#endif
