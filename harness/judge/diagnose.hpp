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

/// One mistake in one form, or two mistakes at once.
struct Candidate {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::size_t mistake = 0; // position in Exercise::mistakes
    int form = 0;
    std::size_t second = none; // a later one
    int second_form = 0;

    bool is_pair() const { return second != none; }
    bool operator==(const Candidate&) const = default;
    auto operator<=>(const Candidate&) const = default;
};

/// Every mistake in every form; and, where an exercise's oracle combines them, every two of different mistakes.
std::vector<Candidate> single_candidates(const Exercise& exercise);
std::vector<Candidate> pair_candidates(const Exercise& exercise);

/// What is to be switched on.
Slips slips_of(const Exercise& exercise, const Candidate& candidate);
std::optional<Truths> wrong_answer_of(const Exercise& exercise, const Problem& problem, const Candidate& candidate);

/// The same mistakes (in any form), or declared to be past telling apart.
bool are_alike(const Exercise& exercise, const Candidate& a, const Candidate& b);

/// True where no careful implementation's answers can tell the two: nowhere farther apart than both bounds together.
bool are_same(const Truths& a, const Truths& b);

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
    /// `candidates`: those to choose from; by default the single ones.
    explicit Diagnoser(const Exercise& exercise, WrongAnswers wrong_answers = {});
    Diagnoser(const Exercise& exercise, std::vector<Candidate> candidates, WrongAnswers wrong_answers);
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
