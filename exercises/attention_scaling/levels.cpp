// The levels of `attention_scaling`: what is asked in which order, and by whom it is judged.
#include "cases.hpp"
#include "contract.hpp"
#include "core/level.hpp"
#include "core/registry.hpp"
#include "oracle.hpp"
#include "wire/signature.hpp"

namespace assay {

namespace {

std::string level_of(const Problem& problem) {
    if (problem.route == "independent") return "moments";
    if (problem.route == "correlated") return "correlation";
    return problem.route == "aligned" ? "after-training" : problem.route;
}

} // namespace

ASSAY_EXERCISE(attention_scaling) {
    using namespace attention_scaling_judge;
    Exercise exercise;
    exercise.id = "attention_scaling";
    exercise.signatures = ASSAY_SIGNATURES();
    auto& levels = exercise.levels;
    levels.push_back(make_level("moments", "Moments of q·k, independent", {"independent"}, moments_cases()));
    levels.push_back(
        make_level("correlation", "Correlation, and what the distribution does", {"correlated"}, correlation_cases()));
    levels.push_back(make_level("softmax", "The softmax's Jacobian and entropy", {"softmax"}, softmax_cases()));
    levels.push_back(make_level("saturation", "Saturation under three scales", {"saturation"}, saturation_cases()));
    levels.push_back(make_level("after-training", "Why muP uses 1/d", {"aligned"}, aligned_cases()));
    levels.back().must = false;
    exercise.mistakes = mistakes();
    set_calculator(exercise, oracle);
    exercise.valid = valid;
    exercise.random = random_problem;
    exercise.level_of = level_of;
    return exercise;
}

} // namespace assay
