// Plays the oracle as if it were a candidate.
#include "judge/oracle_attempt.hpp"

#include <exception>

namespace assay {

OracleAttempt::OracleAttempt(const Exercise& exercise, std::string mistake, int form)
    : exercise_(exercise), mistake_(std::move(mistake)), form_(form) {}

Outputs rounded(const Truths& truths) {
    Outputs outputs;
    for (const Truth& truth : truths)
        outputs.arrays.emplace_back(truth.name, Array::of(truth.dtype, truth.extents, truth.value));
    return outputs;
}

Outcome<Answer> OracleAttempt::answer(const Level&, const Problem& problem) {
    try {
        std::optional<Truths> truths = exercise_.oracle(problem, mistake_, form_);
        if (!truths) truths = exercise_.oracle(problem, "", 0);
        if (!truths)
            return Failure{Verdict::JE, "the oracle of " + exercise_.id + " gives no right answer to a problem"};
        return Answer{rounded(*truths), {}};
    } catch (const std::exception& error) {
        return Failure{Verdict::JE, "the oracle of " + exercise_.id + " threw: " + error.what()};
    }
}

} // namespace assay
