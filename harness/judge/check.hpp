// Runs an exercise on an attempt: levels in order, verdicts, findings, diagnosis, the smallest failing case.
#ifndef ASSAY_JUDGE_CHECK_HPP
#define ASSAY_JUDGE_CHECK_HPP

#include "core/attempt.hpp"
#include "core/exercise.hpp"
#include "core/record.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct CheckOptions {
    std::uint64_t seed = 0;
    std::string level;                  // id or number: only this one; "" = all
    std::string case_spec;              // only this case (spec.hpp); "" = all
    bool explain = true;                // diagnose and shrink the first failure
    bool stop_at_first_failure = false; // for mutants: levels after the first failure are not run
};

/// Fills levels, verdict, score, diagnoses and smallest of `record` (the rest is the caller's). `missing` names
/// contract functions the attempt lacks, with the reason to show (near miss or not). Each case runs twice, with
/// different poison, and is not-deterministic where the repeat differs by more than both answers' bounds allow. Usage
/// errors (no such level, no such case, a spec that does not fit) come back as a failure with verdict SKIP.
struct MissingFunction {
    std::string name;
    std::string reason;
};
Outcome<Done> check(const Exercise& exercise, Attempt& attempt, const CheckOptions& options,
                    const std::vector<MissingFunction>& missing, Record& record);

} // namespace assay

#endif
