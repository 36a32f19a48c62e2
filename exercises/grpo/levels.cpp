// The levels of `grpo`: what is asked in which order, and by whom it is judged.
#include "cases.hpp"
#include "contract.hpp"
#include "core/level.hpp"
#include "core/registry.hpp"
#include "oracle.hpp"
#include "wire/signature.hpp"

namespace assay {

namespace {

/// Level gradient asks `loss` as the levels before it do, and looks at the gradient as well: a route of its own, whose
/// truth has one output more.
Outcome<Outputs> ask_loss(Caller& caller, const Problem& problem) {
    std::vector<Argument> arguments;
    for (const char* name : {"lp_new", "lp_new_grad", "lp_old", "lp_ref", "advantage", "mask", "clip_low", "clip_high",
                             "log_ratio_limit", "beta", "how", "longest", "terms"}) {
        const bool out = std::string_view(name) == "lp_new_grad" || std::string_view(name) == "terms";
        arguments.push_back({problem.find(name)->value, out ? Mode::out : Mode::in});
    }
    Outcome<std::vector<Array>> answer = caller.call("loss", arguments);
    if (!answer) return answer.failure();
    Outputs outputs;
    outputs.arrays = {{"lp_new_grad", (*answer)[0]}, {"terms", (*answer)[1]}, {"loss", (*answer)[2]}};
    return outputs;
}

std::string level_of(const Problem& problem) {
    return problem.route == "advantages" || problem.route == "loss" ? "degenerate" : problem.route;
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
    levels.back().script = ask_loss;
    exercise.mistakes = mistakes();
    set_calculator(exercise, oracle);
    exercise.valid = valid;
    exercise.random = random_problem;
    exercise.level_of = level_of;
    return exercise;
}

} // namespace assay
