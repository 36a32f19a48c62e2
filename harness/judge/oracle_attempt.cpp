// Plays the oracle as if it were a candidate.
#include "judge/oracle_attempt.hpp"

#include <exception>

namespace assay {

OracleAttempt::OracleAttempt(const Exercise& exercise, const std::string& mistake, int form)
    : OracleAttempt(exercise, [&exercise, mistake, form](const Problem& problem) {
          return exercise.oracle(problem, mistake, form);
      }) {}

OracleAttempt::OracleAttempt(const Exercise& exercise, Answers answers)
    : exercise_(exercise), answers_(std::move(answers)) {}

Outputs rounded(const Truths& truths) {
    Outputs outputs;
    for (const Truth& truth : truths)
        outputs.arrays.emplace_back(truth.name, Array::of(truth.dtype, truth.extents, truth.value));
    return outputs;
}

Outcome<Answer> OracleAttempt::answer(const Level&, const Problem& problem) {
    try {
        std::optional<Truths> truths = answers_(problem);
        if (!truths) truths = exercise_.oracle(problem, "", 0);
        if (!truths)
            return Failure{Verdict::JE, "the oracle of " + exercise_.id + " gives no right answer to a problem"};
        return Answer{rounded(*truths), {}};
    } catch (const std::exception& error) {
        return Failure{Verdict::JE, "the oracle of " + exercise_.id + " threw: " + error.what()};
    }
}

} // namespace assay
