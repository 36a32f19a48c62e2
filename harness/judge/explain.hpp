// What `check` says about the first failure: which mistake it is, and the smallest case that shows it.
#ifndef ASSAY_JUDGE_EXPLAIN_HPP
#define ASSAY_JUDGE_EXPLAIN_HPP

#include "core/attempt.hpp"
#include "core/exercise.hpp"
#include "core/record.hpp"
#include "judge/ask.hpp"
#include "judge/diagnose.hpp"
#include "judge/shrink.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// One case as it was asked. `spec` is its id, or a --case spec.
struct Evidence {
    const Level* level = nullptr;
    std::string spec;
    std::shared_ptr<const Problem> problem;
    std::shared_ptr<const Truths> truth;
    Asked asked;
};

/// The mistakes that explain every diagnosable case of one level, given in the order they were asked. Where several fit
/// alike, looks for a problem of the same route that parts them, among the exercise's cases and then among random ones,
/// and asks it (6 at most). `wrong_answers` as in Diagnoser; may be empty. An oracle that throws ends it with nothing.
std::vector<Diagnosis> explain(const Exercise& exercise, Attempt& attempt, std::uint64_t seed,
                               std::span<const Evidence> cases, const WrongAnswers& wrong_answers = {});

/// The failing case made small (where its verdict is not TLE), with its inputs and the line
/// that asks it again. Its finding has no tensor where the verdict is not WA; its note then says what happened.
Smallest smallest_of(const Exercise& exercise, Attempt& attempt, std::uint64_t seed, const Evidence& failing,
                     const ShrinkLimits& limits = {});

} // namespace assay

#endif
