// The levels of `grpo_hunt`: one function, whose stages are compared one after the other.
#include "attempt/default_script.hpp"
#include "cases.hpp"
#include "contract.hpp"
#include "core/level.hpp"
#include "core/registry.hpp"
#include "oracle.hpp"
#include "wire/signature.hpp"

namespace assay {

namespace {

Level stage(std::string id, std::string title, std::vector<Case> cases) {
    Level level = make_level(std::move(id), std::move(title), {"loss"}, std::move(cases));
    level.script = [](Caller& caller, const Problem& problem) {
        static const std::vector<Signature> signatures = ASSAY_SIGNATURES();
        Problem asked = problem; // a route is a stage
        asked.route = "loss";
        return call_route(caller, signatures, asked);
    };
    return level;
}

} // namespace

ASSAY_EXERCISE(grpo_hunt) {
    using namespace grpo_hunt_judge;
    Exercise exercise;
    exercise.id = "grpo_hunt";
    exercise.signatures = ASSAY_SIGNATURES();
    auto& levels = exercise.levels;
    levels.push_back(stage("log-probs", "From logits to log-probs", log_prob_cases()));
    levels.push_back(stage("advantages", "Advantages within a group", advantage_cases()));
    levels.push_back(stage("ratio", "Ratio and clip, token by token", ratio_cases()));
    levels.push_back(stage("masking", "Masking and aggregation", masking_cases()));
    levels.push_back(stage("kl", "The KL term", kl_cases()));
    levels.push_back(stage("gradient", "The gradient with respect to the logits", gradient_cases()));
    exercise.mistakes = mistakes();
    exercise.oracle = oracle;
    exercise.valid = valid;
    exercise.random = random_problem;
    exercise.level_of = [](const Problem& problem) { return problem.route; };
    return exercise;
}

} // namespace assay
