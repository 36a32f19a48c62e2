// Asks an attempt one problem, twice, and says what came of it.
#ifndef ASSAY_JUDGE_ASK_HPP
#define ASSAY_JUDGE_ASK_HPP

#include "core/attempt.hpp"
#include "core/exercise.hpp"

#include <functional>
#include <string>
#include <vector>

namespace assay {

/// The right answer. The failure (JE) is the exercise's: its oracle threw, or gave nothing.
Outcome<Truths> truth_of(const Exercise& exercise, const Problem& problem);

/// The case's problem. The failure (JE) is the exercise's: making it threw.
Outcome<Problem> problem_of(const Case& one, std::uint64_t seed);

struct Asked {
    Verdict verdict = Verdict::SKIP;
    std::string reason;            // of a verdict that is neither AC nor WA
    std::vector<Finding> findings; // what tells most comes first
    Outputs got;                   // the first answer
};

/// WA where any answer is wrong, an input was changed, an output not written or something beside it was. The first
/// answer and the repeat must both be right; where they differ by more than both bounds, or only the repeat is wrong,
/// that is not-deterministic (got: the repeat, expected: the first). Elements that were never written are not listed
/// as wrong values too. A failure of either call gives its verdict. Never throws.
/// `further_calls`: how often a wrong answer is asked for again, in search of one that differs.
Asked ask(const Exercise& exercise, const Level& level, Attempt& attempt, const Problem& problem, const Truths& truths,
          int further_calls = 0);

/// The finding of this kind on this tensor, or null.
const Finding* find_finding(const std::vector<Finding>& findings, FindingKind kind, const std::string& tensor);

/// True where an element is wrong by its value, so that the values can be diagnosed, and the answer did not change from
/// one call to the next.
bool is_diagnosable(const Asked& asked);

} // namespace assay

#endif
