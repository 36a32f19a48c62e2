// The levels of `grpo`: what is asked in which order, and by whom it is judged.
#include "cases.hpp"
#include "contract.hpp"
#include "core/level.hpp"
#include "core/registry.hpp"
#include "oracle.hpp"
#include "wire/signature.hpp"

namespace assay {

namespace {

/// A route is a level, so that each has its own domain and what it looks at; the contract has two functions.
Outcome<Outputs> ask(Caller& caller, const Problem& problem) {
    const bool advantages = problem.route == "advantages" || problem.route == "groups";
    const std::vector<const char*> in_order =
        advantages ? std::vector<const char*>{"rewards", "group_size", "ddof", "eps", "scale", "advantage"}
                   : std::vector<const char*>{"lp_new", "lp_new_grad", "lp_old",    "lp_ref",          "advantage",
                                              "mask",   "clip_low",    "clip_high", "log_ratio_limit", "beta",
                                              "how",    "longest",     "terms"};
    std::vector<Argument> arguments;
    for (const char* name : in_order) arguments.push_back({problem.find(name)->value, Mode::in});
    std::vector<std::size_t> outputs = advantages ? std::vector<std::size_t>{5} : std::vector<std::size_t>{1, 12};
    for (const std::size_t at : outputs) arguments[at].mode = Mode::out;
    Outcome<std::vector<Array>> answer = caller.call(advantages ? "advantages" : "loss", arguments);
    if (!answer) return answer.failure();
    Outputs named;
    for (std::size_t i = 0; i < outputs.size(); ++i) named.arrays.emplace_back(in_order[outputs[i]], (*answer)[i]);
    if (!advantages) named.arrays.emplace_back("loss", answer->back());
    return named;
}

std::string level_of(const Problem& problem) {
    return problem.route == "groups" || problem.route == "loss" ? "degenerate" : problem.route;
}

} // namespace

ASSAY_EXERCISE(grpo) {
    using namespace grpo_judge;
    Exercise exercise;
    exercise.id = "grpo";
    exercise.signatures = ASSAY_SIGNATURES();
    auto& levels = exercise.levels;
    levels.push_back(make_level("advantages", "Advantages of a group", {"advantages"}, advantages_cases()));
    levels.push_back(make_level("ratio", "Ratio and clip", {"loss"}, ratio_cases()));
    levels.push_back(make_level("masks", "Masks and three ways to aggregate", {"loss"}, masks_cases()));
    levels.push_back(make_level("kl", "Distance from the reference", {"loss"}, kl_cases()));
    levels.push_back(
        make_level("degenerate", "Degenerate groups and numbers", {"advantages", "loss"}, degenerate_cases()));
    levels.push_back(make_level("gradient", "The gradient", {"loss"}, gradient_cases()));
    for (Level& level : levels) level.script = ask;
    exercise.mistakes = mistakes();
    set_calculator(exercise, oracle);
    exercise.valid = valid;
    exercise.random = random_problem;
    exercise.level_of = level_of;
    return exercise;
}

} // namespace assay
