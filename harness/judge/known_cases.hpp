// The cases of an exercise with their right answers, made once a seed for all the attempts that are asked them.
#ifndef ASSAY_JUDGE_KNOWN_CASES_HPP
#define ASSAY_JUDGE_KNOWN_CASES_HPP

#include "core/exercise.hpp"
#include "core/outcome.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace assay {

/// A problem with its right answer; where there is none, why (then both pointers may be null).
struct KnownCase {
    std::shared_ptr<const Problem> problem;
    std::shared_ptr<const Truths> truth;
    Failure failure;

    bool ok() const { return truth != nullptr; }
};

/// The right answer to a problem of the exercise.
KnownCase known(const Exercise& exercise, Outcome<Problem> problem);

/// Makes a case when it is first asked for, and holds it. Any number of threads may ask.
class KnownCases {
  public:
    /// `exercise` must outlive it.
    KnownCases(const Exercise& exercise, std::uint64_t seed);
    ~KnownCases();
    KnownCases(const KnownCases&) = delete;
    KnownCases& operator=(const KnownCases&) = delete;

    std::uint64_t seed() const { return seed_; }

    /// By position: exercise.levels[level].cases[one], whose exercise may be a copy (points in its levels, say).
    const KnownCase& at(std::size_t level, std::size_t one) const;

  private:
    struct Entry;
    const Exercise& exercise_;
    std::uint64_t seed_;
    std::vector<std::vector<std::unique_ptr<Entry>>> entries_; // by level, then case
};

} // namespace assay

#endif
