// The oracle as an attempt: right, or with one mistake switched on, rounded to the outputs' dtype.
#ifndef ASSAY_JUDGE_ORACLE_ATTEMPT_HPP
#define ASSAY_JUDGE_ORACLE_ATTEMPT_HPP

#include "core/attempt.hpp"

#include <string>

namespace assay {

/// The truths as an attempt would return them: each value rounded to its truth's dtype.
Outputs rounded(const Truths& truths);

class OracleAttempt final : public Attempt {
  public:
    OracleAttempt(const Exercise& exercise, std::string mistake, int form);
    void fresh() override {}
    /// Where the mistake cannot be made on the problem, answers right.
    Outcome<Answer> answer(const Level& level, const Problem& problem) override;
    std::string printed() override { return {}; }

  private:
    const Exercise& exercise_;
    std::string mistake_;
    int form_;
};

} // namespace assay

#endif
