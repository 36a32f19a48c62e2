// The levels of `p_yes`: what is asked in which order, and by whom it is judged.
#include "cases.hpp"
#include "contract.hpp"
#include "core/level.hpp"
#include "core/registry.hpp"
#include "oracle.hpp"
#include "wire/signature.hpp"

namespace assay {

namespace {

std::string level_of(const Problem& problem) {
    if (problem.route == "checked") return "errors";
    if (problem.route == "label_tokens") return "token-ids";
    return problem.route == "score" || problem.route == "score_f16" ? "extremes" : "calibration";
}

} // namespace

ASSAY_EXERCISE(p_yes) {
    using namespace p_yes_judge;
    Exercise exercise;
    exercise.id = "p_yes";
    exercise.signatures = ASSAY_SIGNATURES();
    auto& levels = exercise.levels;
    levels.push_back(make_level("formula", "The formula, in log space", {"score"}, formula_cases()));
    levels.push_back(make_level("extremes", "Extremes, and float16 storage", {"score", "score_f16"}, extremes_cases()));
    levels.push_back(make_level("errors", "Questions without an answer", {"checked"}, errors_cases()));
    levels.push_back(make_level("token-ids", "Which tokens spell a label", {"label_tokens"}, tokens_cases()));
    levels.push_back(make_level("calibration", "Calibrate, then decide", {"calibrate", "assess"}, calibration_cases()));
    exercise.mistakes = mistakes();
    set_calculator(exercise, oracle);
    exercise.plain = plain;
    exercise.valid = valid;
    exercise.random = random_problem;
    exercise.level_of = level_of;
    return exercise;
}

} // namespace assay
