// The levels of `long_attention`: what is asked in which order, and by whom it is judged.
#include "cases.hpp"
#include "contract.hpp"
#include "core/level.hpp"
#include "core/registry.hpp"
#include "growth.hpp"
#include "oracle.hpp"
#include "wire/signature.hpp"

namespace assay {

namespace {

std::string level_of(const Problem& problem) {
    const std::string& route = problem.route;
    if (route == "cost_of") return "costs";
    if (route == "sliding_window") return "window";
    if (route == "linear_attention") return "linear";
    if (route == "random_features") return "random-features";
    if (route == "low_rank") return "low-rank";
    if (route == "window_with_globals") return "global-tokens";
    return route == "compare" ? "error" : "crossover";
}

} // namespace

ASSAY_EXERCISE(long_attention) {
    using namespace long_attention_judge;
    Exercise exercise;
    exercise.id = "long_attention";
    exercise.signatures = ASSAY_SIGNATURES();
    auto& levels = exercise.levels;
    levels.push_back(make_level("costs", "What six methods cost", {"cost_of"}, cost_cases()));
    levels.push_back(make_level("crossover", "From which length on", {"crossover"}, crossover_cases()));
    levels.push_back(make_level("window", "Sliding window in O(L·w)", {"sliding_window"}, window_cases()));
    levels.push_back(make_level("linear", "Causal linear attention in O(L)", {"linear_attention"}, linear_cases()));
    levels.push_back(make_level("low-rank", "Keys and values projected", {"low_rank"}, low_rank_cases()));
    levels.push_back(
        make_level("global-tokens", "A window with global tokens", {"window_with_globals"}, global_cases()));
    levels.push_back(make_level("error", "Error beside cost", {"compare"}, error_cases()));
    levels.push_back(
        make_level("random-features", "Positive random features", {"random_features"}, random_feature_cases()));
    levels.back().must = false;
    exercise.mistakes = mistakes();
    set_calculator(exercise, oracle);
    exercise.plain = plain;
    exercise.valid = valid;
    exercise.random = random_problem;
    exercise.level_of = level_of;
    exercise.growths = growths();
    exercise.speed = speed_levels();
    return exercise;
}

} // namespace assay
