// The oracle as an attempt: right, or with one mistake switched on, rounded to the outputs' dtype.
#ifndef ASSAY_JUDGE_ORACLE_ATTEMPT_HPP
#define ASSAY_JUDGE_ORACLE_ATTEMPT_HPP

#include "core/attempt.hpp"

#include <functional>
#include <optional>
#include <string>

namespace assay {

/// The truths as an attempt would return them: each value rounded to its truth's dtype.
Outputs rounded(const Truths& truths);

class OracleAttempt final : public Attempt {
  public:
    OracleAttempt(const Exercise& exercise, const std::string& mistake, int form);
    /// Plays whatever `answers` gives.
    using Answers = std::function<std::optional<Truths>(const Problem&)>;
    OracleAttempt(const Exercise& exercise, Answers answers);
    void fresh() override {}
    /// Where the mistake cannot be made on the problem, answers right.
    Outcome<Answer> answer(const Level& level, const Problem& problem) override;
    std::string printed() override { return {}; }

  private:
    const Exercise& exercise_;
    Answers answers_;
};

} // namespace assay

#endif
