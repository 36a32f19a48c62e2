// Names the mistake behind a wrong answer: the one whose own wrong value the attempt's output matches.
#ifndef ASSAY_JUDGE_DIAGNOSE_HPP
#define ASSAY_JUDGE_DIAGNOSE_HPP

#include "core/exercise.hpp"
#include "core/finding.hpp"
#include "core/problem.hpp"

#include <memory>
#include <vector>

namespace assay {

/// Gathers failing cases; a mistake (in one form) stays a candidate while on every failing case so far (where it can be
/// made at all)
///   - the output lies within the bound, recomputed with the mistake switched on, of the mistake's value, the same
///     elements NaN or infinite, and at least one finite element was so matched over all cases (equal patterns of NaN
///     alone are no match), and
///   - the mistake's value differs somewhere from the right one by more than both bounds (or in NaN or infinity).
class Diagnoser {
  public:
    explicit Diagnoser(const Exercise& exercise);
    ~Diagnoser();

    void add_failing(const Problem& problem, const Outputs& got, const Truths& truth);
    /// A case that passed rules out the mistakes that would have failed it.
    void add_passing(const Problem& problem, const Truths& truth);

    /// The mistakes that fit all so far (alternatives where several); then patterns that need no oracle: a constant
    /// ratio to the truth, rows that do not sum to 1 (weights seen through constant v), wrong only past an index, equal
    /// to an input, equal to the previous case's answer. Empty where nothing fits: never a guess.
    std::vector<Diagnosis> result() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace assay

#endif
