// The levels of `roofline`: what is asked in which order, and by whom it is judged.
#include "cases.hpp"
#include "contract.hpp"
#include "core/level.hpp"
#include "core/registry.hpp"
#include "oracle.hpp"
#include "wire/signature.hpp"

namespace assay {

namespace {

std::string level_of(const Problem& problem) {
    if (problem.route == "count") return "counts";
    if (problem.route == "cross") return "crossover";
    if (problem.route == "refine") return "refined";
    return problem.route == "reduce" ? "in-switch" : "inverse";
}

} // namespace

ASSAY_EXERCISE(roofline) {
    using namespace roofline_judge;
    Exercise exercise;
    exercise.id = "roofline";
    exercise.signatures = ASSAY_SIGNATURES();
    auto& levels = exercise.levels;
    levels.push_back(make_level("counts", "Three costs, three times", {"count"}, counts_cases()));
    levels.push_back(make_level("crossover", "Ridge and crossover", {"cross"}, crossover_cases()));
    levels.push_back(make_level("refined", "The refined model", {"refine"}, refined_cases()));
    levels.push_back(make_level("inverse", "The questions turned round",
                                {"largest_group", "least_batch", "what_to_double"}, inverse_cases()));
    levels.push_back(make_level("in-switch", "Adding up in the switch", {"reduce"}, in_switch_cases()));
    levels.back().must = false;
    exercise.mistakes = mistakes();
    set_calculator(exercise, oracle);
    exercise.valid = valid;
    exercise.random = random_problem;
    exercise.level_of = level_of;
    return exercise;
}

} // namespace assay
