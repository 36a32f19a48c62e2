// The engine for one machine: a bounded pool of processes, a ledger, records by rename. May be killed at any moment and
// started again.
#ifndef ASSAY_GRADE_LOCAL_HPP
#define ASSAY_GRADE_LOCAL_HPP

#include "core/outcome.hpp"
#include "grade/engine.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace assay {

struct LocalOptions : EngineOptions {
    int jobs = 1;
    std::vector<std::string> program; // command that grades one unit, without the unit's own arguments
    std::chrono::seconds wall_limit{600};
};

/// Grades what has no result yet. A unit whose process ends without a record is tried once more, then recorded as JE.
/// Failure (SKIP): the output folder cannot be used.
Outcome<GradeResult> grade_locally(const Plan& plan, const LocalOptions& options);

} // namespace assay

#endif
