// Compares an answer with the truth, element by element, and says what is wrong and where.
#ifndef ASSAY_JUDGE_COMPARE_HPP
#define ASSAY_JUDGE_COMPARE_HPP

#include "core/finding.hpp"
#include "core/problem.hpp"

#include <vector>

namespace assay {

/// One finding a kind (value, nan, inf, shape) and output that is wrong; empty where the answer is right. Where the
/// truth is NaN or infinite the answer must be the same. An element is right only where `diff <= bound` holds, so that
/// NaN never passes. `plain` (may be null) is the plain same-precision implementation's answer, for its error at that
/// place.
std::vector<Finding> compare(const Outputs& got, const Truths& truths, const Outputs* plain = nullptr);

/// The same without what is only read by people: place, map, note and plain error stay empty.
std::vector<Finding> find_wrong(const Outputs& got, const Truths& truths);

/// True where compare would find nothing; stops at the first wrong element.
bool agrees(const Outputs& got, const Truths& truths);
/// Whether an oracle's answer, rounded to the outputs' dtypes, agrees: without making these outputs.
bool agrees_when_stored(const Truths& answer, const Truths& truths);

/// A result's item that still holds what the contract's header put there (contract/assay/unset.hpp).
bool is_unset(const Truth& truth, double got);

/// Largest error / bound over all elements (infinite where an element is wrong beyond numbers); for reports and trials.
double worst_ratio(const Outputs& got, const Truths& truths);

} // namespace assay

#endif
