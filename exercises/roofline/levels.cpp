// The levels of `roofline`: what is asked in which order, and by whom it is judged.
#include "cases.hpp"
#include "contract.hpp"
#include "core/registry.hpp"
#include "oracle.hpp"
#include "wire/signature.hpp"

namespace assay {

namespace {

Level level(std::string id, std::string title, std::vector<std::string> functions, std::vector<Case> cases) {
    Level one;
    one.id = std::move(id);
    one.title = std::move(title);
    one.functions = std::move(functions);
    one.cases = std::move(cases);
    return one;
}

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
    levels.push_back(level("counts", "Three costs, three times", {"count"}, counts_cases()));
    levels.push_back(level("crossover", "Ridge and crossover", {"cross"}, crossover_cases()));
    levels.push_back(level("refined", "The refined model", {"refine"}, refined_cases()));
    levels.push_back(level("inverse", "The questions turned round", {"largest_group", "least_batch", "what_to_double"},
                           inverse_cases()));
    levels.push_back(level("in-switch", "Adding up in the switch", {"reduce"}, in_switch_cases()));
    levels.back().must = false;
    exercise.mistakes = mistakes();
    set_calculator(exercise, oracle);
    exercise.valid = valid;
    exercise.random = random_problem;
    exercise.level_of = level_of;
    return exercise;
}

} // namespace assay
