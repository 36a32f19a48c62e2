// The engine for one machine: a bounded pool of processes, a ledger, records by rename. May be killed at any moment and
// started again.
#ifndef ASSAY_GRADE_LOCAL_HPP
#define ASSAY_GRADE_LOCAL_HPP

#include "core/record.hpp"
#include "grade/plan.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace assay {

struct GradeProgress {
    std::size_t done = 0, all = 0; // units; those that were complete before count as done
    std::size_t before = 0;        // of them, complete before this run
    int running = 0;
};

struct LocalOptions {
    int jobs = 1;
    std::filesystem::path out;
    std::vector<std::string> program; // command that grades one unit, without the unit's own arguments
    std::chrono::seconds wall_limit{600};
    int stop = -1;                                      // as in PoolOptions
    std::function<void(const GradeProgress&)> progress; // may be empty
    /// A record that says why there is none of the attempt's own: the verdict and one sentence.
    std::function<Record(const Unit& unit, Verdict verdict, const std::string& reason)> blank;
};

struct LocalResult {
    bool stopped = false;
    std::size_t graded = 0, kept = 0;  // in this run; complete before
    std::vector<std::string> failures; // units without a record at the end: a sentence each
};

/// Grades what has no result yet. A unit whose process ends without a record is tried once more, then recorded as JE.
/// Failure (SKIP): the output folder cannot be used.
Outcome<LocalResult> grade_locally(const Plan& plan, const LocalOptions& options);

} // namespace assay

#endif
