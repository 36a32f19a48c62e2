// Looks at the answers of timed calls: at all that the caller saw, and at a few rows by the oracle, drawn anew for each
// problem, where the whole of it would take longer than what is timed.
#ifndef ASSAY_JUDGE_SAMPLED_HPP
#define ASSAY_JUDGE_SAMPLED_HPP

#include "core/attempt.hpp"
#include "core/bench.hpp"
#include "core/exercise.hpp"
#include "core/random.hpp"

#include <cstdint>
#include <string>

namespace assay {

/// Of the dimension `rows`, so many indices are looked at, of every head and batch row.
inline constexpr std::int64_t sampled_rows = 2;

class SampledCheck {
  public:
    /// `secret`: what the rows are drawn from; an attempt that knew them could leave out the others.
    SampledCheck(const Exercise& exercise, const Bench& bench, std::uint64_t secret);

    /// Draws rows and computes what is right in them. Throws what the exercise throws.
    void begin(const Problem& problem);

    /// What is wrong with an answer to the problem of begin(), in a sentence; "" = nothing that was looked at.
    std::string wrong(const Answer& answer) const;

  private:
    const Exercise& exercise_;
    const Bench& bench_;
    Random random_;
    Index kept_; // empty: the whole answer
    Problem part_;
    Truths truths_;
};

/// `problem` with each tensor that runs over `dimension` taken at these indices.
Problem taken(const Problem& problem, const std::string& dimension, const Index& kept);

} // namespace assay

#endif
