// Explains a calculator's wrong numbers one by one, and words what explains all of them.
#ifndef ASSAY_JUDGE_EXPLAIN_ITEMS_HPP
#define ASSAY_JUDGE_EXPLAIN_ITEMS_HPP

#include "core/exercise.hpp"
#include "core/finding.hpp"
#include "judge/diagnose.hpp"
#include "judge/explain.hpp"

#include <span>
#include <vector>

namespace assay {

/// "your t_net is 0.00125 s, which is what the link's bandwidth read as bits gives": the first wrong number of the
/// first diagnosable case, and the candidate that explains all of them.
Diagnosis told_of(const Exercise& exercise, const Candidate& candidate, std::span<const Evidence> cases);

/// Where nothing explains the whole answer: what explains single numbers. For each number that is wrong, in the
/// contract's order, the mistakes that give just this value on every failing case, or the factor by which it is wrong
/// in all of them. One diagnosis that says them all (3 numbers at most, each explanation once), or none.
std::vector<Diagnosis> explain_items(const Exercise& exercise, std::span<const Evidence> cases,
                                     const WrongAnswers& wrong_answers);

} // namespace assay

#endif
