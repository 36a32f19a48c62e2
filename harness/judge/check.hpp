// Runs an exercise on an attempt: levels in order, verdicts, findings, diagnosis, the smallest failing case.
#ifndef ASSAY_JUDGE_CHECK_HPP
#define ASSAY_JUDGE_CHECK_HPP

#include "core/attempt.hpp"
#include "core/exercise.hpp"
#include "core/record.hpp"
#include "judge/shrink.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace assay {

class KnownCases;

struct CheckOptions {
    std::uint64_t seed = 0;
    std::string level;                  // id or number: only this one; "" = all
    std::string case_spec;              // only this case (spec.hpp); "" = all
    bool explain = true;                // diagnose and shrink the first failure
    bool smallest = true;               // shrink it (`explain` alone: only diagnose)
    ShrinkLimits shrinking;             // and for how long
    bool stop_at_first_failure = false; // for mutants: levels after the first failure are not run
    std::vector<std::string> not_asked; // ids of levels that this attempt's language leaves out of the record
    const KnownCases* known = nullptr;  // cases of this exercise and seed, where many attempts are asked them
};

/// After so many failing cases the rest of a level is not asked: enough for a diagnosis, few enough to end soon.
inline constexpr int most_failing_cases = 6;

/// A contract function the attempt lacks, with the reason to show (near miss or not).
struct MissingFunction {
    std::string name;
    std::string reason;
};
/// Fills levels, verdict, reason, score, bonus, partial, diagnoses and smallest of `record`, after seed and exercise
/// (the rest is the caller's). Usage errors (no such level, no such case, a spec that does not fit) come back as a
/// failure with verdict SKIP.
///
/// Each case is asked twice (ask.hpp); the attempt is fresh at every level and after every case that failed. A level
/// has the verdict of its first case that is neither AC nor SKIP, and earns all its points or none. Not asked are: the
/// rest of a level after most_failing_cases, or after TLE, MLE or OLE; a level that requires one that is not AC. A
/// level lacking a function is CE (a bonus level lacking all of its functions: SKIP, nobody need try it). The verdict
/// is the first must level's that failed; AC where all must levels are; JE where anything was. With `level` or
/// `case_spec` the record is partial and counts only what ran; a single case earns nothing.
Outcome<Done> check(const Exercise& exercise, Attempt& attempt, const CheckOptions& options,
                    const std::vector<MissingFunction>& missing, Record& record);

} // namespace assay

#endif
