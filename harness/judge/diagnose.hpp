// Names the mistake behind a wrong answer: the one whose own wrong value the attempt's output matches.
#ifndef ASSAY_JUDGE_DIAGNOSE_HPP
#define ASSAY_JUDGE_DIAGNOSE_HPP

#include "core/exercise.hpp"
#include "core/finding.hpp"
#include "core/problem.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace assay {

/// The same mistake, or declared to be past telling apart by either of the two.
bool are_twins(const Mistake& a, const Mistake& b);

/// One mistake in one form.
struct Candidate {
    std::size_t mistake = 0; // position in Exercise::mistakes
    int form = 0;

    bool operator==(const Candidate&) const = default;
};

/// What the oracle says with a candidate switched on; nothing where it cannot be made. Stands for Exercise::oracle
/// where the answers were computed before (verify asks for the same ones a hundred times). The reference holds until
/// the next call.
using WrongAnswers = std::function<const std::optional<Truths>&(const Problem&, const Candidate&)>;

/// Gathers failing cases; a mistake (in one form) stays a candidate while on every failing case so far (where it can be
/// made at all; on one of them it can)
///   - the output lies within the bound, recomputed with the mistake switched on, of the mistake's value, the same
///     elements NaN or infinite, and at least one finite element was so matched over all cases (equal patterns of NaN
///     alone are no match), and
///   - the mistake's value differs somewhere from the right one by more than both bounds (or in NaN or infinity).
/// An answer of the wrong shape, or one that is right by its values, matches no mistake.
class Diagnoser {
  public:
    explicit Diagnoser(const Exercise& exercise, WrongAnswers wrong_answers = {});
    ~Diagnoser();

    /// `previous` is the answer to the case asked before, by the same process (null where there was none).
    void add_failing(const Problem& problem, const Outputs& got, const Truths& truth,
                     const Outputs* previous = nullptr);
    /// A case that passed rules out the mistakes that would have failed it: whose value lies beyond both bounds from
    /// the right one. Cheapest after the failing cases.
    void add_passing(const Problem& problem, const Truths& truth);

    /// Candidates that fit all so far, in the exercise's order.
    const std::vector<Candidate>& fitting() const;
    /// Whether two fit that are of different mistakes and no twins.
    bool ambiguous() const;
    /// Whether two that fit, of different mistakes and no twins, must answer `problem` differently.
    bool parts(const Problem& problem) const;
    /// Drops those that fit but would not have answered `problem` as `got`; where none would, drops none.
    void narrow(const Problem& problem, const Outputs& got);

    /// The mistakes that fit all so far (alternatives where several); where none does, or every answer is 0 throughout,
    /// the first pattern that holds too (patterns.hpp). Empty where nothing fits: never a guess.
    std::vector<Diagnosis> result() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace assay

#endif
