// The float64 truth of `broadcast`, route by route, with each named mistake as a switch. Any number may be on at once.
#ifndef ASSAY_BROADCAST_ORACLE_HPP
#define ASSAY_BROADCAST_ORACLE_HPP

#include "core/exercise.hpp"

#include <optional>
#include <vector>

namespace assay::broadcast_judge {

std::vector<Mistake> mistakes();

/// Nothing where a mistake has no answer of its own: without the source, one receiver is none; and a file beyond 64
/// bits has no integer number of bytes.
std::optional<Truths> oracle(const Problem& problem, const Slips& on);

/// Whether `problem` may be asked: the fields are there, and a best number of chunks is at most 10^5 and stands out
/// (see stands_out).
bool valid(const Problem& problem);

} // namespace assay::broadcast_judge

#endif
