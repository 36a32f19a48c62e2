// A whole run of levels 4 and 5: of an attempt through its contract, of the reference planner, and told as a story.
#ifndef ASSAY_BROADCAST_ORACLE_RUNS_HPP
#define ASSAY_BROADCAST_ORACLE_RUNS_HPP

#include "oracle_world.hpp"

#include <optional>
#include <string>
#include <vector>

namespace assay::broadcast_judge {

inline bool is_run(const Problem& problem) {
    return problem.route == "make_planner" || problem.route == "resume_planner";
}

/// The script of both levels: makes the attempt's planner and plays the run.
Outcome<Outputs> play_attempt(Caller& caller, const Problem& problem);

/// What a right planner's run gives; with mistakes on, the reference planner's. Nothing in large networks, which would
/// take long, and for chains and trees among racks and faults, of which they know nothing.
std::optional<Truths> run_truths(const Problem& problem, const Slips& on);

/// The mistake that the run's broken rule is, where it is one.
std::string shown_by(const Problem& problem, const Outputs& outputs);

std::vector<std::string> story_of(const Problem& problem, const Outputs& outputs);

} // namespace assay::broadcast_judge

#endif
