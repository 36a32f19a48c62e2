// The levels of `attention_scaling`: what is asked in which order, and by whom it is judged.
#include "cases.hpp"
#include "contract.hpp"
#include "core/registry.hpp"
#include "oracle.hpp"
#include "wire/signature.hpp"

namespace assay {

namespace {

Level level(std::string id, std::string title, std::string function, std::vector<Case> cases) {
    Level one;
    one.id = std::move(id);
    one.title = std::move(title);
    one.functions = {std::move(function)};
    one.cases = std::move(cases);
    return one;
}

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
    levels.push_back(level("moments", "Moments of q·k, independent", "independent", moments_cases()));
    levels.push_back(
        level("correlation", "Correlation, and what the distribution does", "correlated", correlation_cases()));
    levels.push_back(level("softmax", "The softmax's Jacobian and entropy", "softmax", softmax_cases()));
    levels.push_back(level("saturation", "Saturation under three scales", "saturation", saturation_cases()));
    levels.push_back(level("after-training", "Why muP uses 1/d", "aligned", aligned_cases()));
    levels.back().must = false;
    exercise.mistakes = mistakes();
    set_calculator(exercise, oracle);
    exercise.valid = valid;
    exercise.random = random_problem;
    exercise.level_of = level_of;
    return exercise;
}

} // namespace assay
