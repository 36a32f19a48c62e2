// The float64 truth of `parallelism`, its bounds, and each named mistake as a switch.
#ifndef ASSAY_PARALLELISM_ORACLE_HPP
#define ASSAY_PARALLELISM_ORACLE_HPP

#include "core/exercise.hpp"
#include "core/slips.hpp"

#include <vector>

namespace assay::parallelism_judge {

std::vector<Mistake> mistakes();

/// Any number of mistakes at once; one that cannot be made on the problem (or does not concern its route) leaves it
/// right.
Truths oracle(const Problem& problem, const Slips& on);

/// The plain float32 loops of routes `forward` and `sequence`; nothing for the others.
Outputs plain(const Problem& problem);

// By route.
Truths shard_truths(const Problem& problem, const Slips& on);
Truths layer_truths(const Problem& problem, const Slips& on); // forward and sequence
Truths traffic_truths(const Problem& problem, const Slips& on);
Truths bubble_truths(const Problem& problem, const Slips& on);
Truths schedule_truths(const Problem& problem, const Slips& on);

} // namespace assay::parallelism_judge

#endif
