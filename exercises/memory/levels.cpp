// The levels of `memory`: what is asked in which order, and by whom it is judged.
#include "cases.hpp"
#include "contract.hpp"
#include "core/level.hpp"
#include "core/registry.hpp"
#include "oracle.hpp"
#include "wire/signature.hpp"

#include <algorithm>

namespace assay {

namespace {

/// A level asks one function: its name with '-' for '_'.
std::string level_of(const Problem& problem) {
    std::string id = problem.route;
    std::replace(id.begin(), id.end(), '_', '-');
    return id;
}

} // namespace

ASSAY_EXERCISE(memory) {
    using namespace memory_judge;
    Exercise exercise;
    exercise.id = "memory";
    exercise.signatures = ASSAY_SIGNATURES();
    auto& levels = exercise.levels;
    levels.push_back(make_level("forward", "A matmul's three tensors", {"forward"}, forward_cases()));
    levels.push_back(make_level("backward", "Its backward pass, by liveness", {"backward"}, backward_cases()));
    levels.push_back(make_level("training-state", "Adam's state and ZeRO", {"training_state"}, state_cases()));
    levels.push_back(make_level("parameters", "A transformer's parameters", {"parameters"}, parameter_cases()));
    levels.push_back(make_level("kv-cache", "Its key-value cache", {"kv_cache"}, cache_cases()));
    levels.push_back(make_level("activations", "Its activations", {"activations"}, activation_cases()));
    levels.push_back(make_level("split-matmul", "One matmul on several GPUs", {"split_matmul"}, split_cases()));
    levels.push_back(make_level("first-stage", "A pipeline's first stage", {"first_stage"}, stage_cases()));
    levels.push_back(make_level("least-gpus", "The least GPUs that fit", {"least_gpus"}, fit_cases()));
    exercise.mistakes = mistakes();
    set_calculator(exercise, oracle);
    exercise.valid = valid;
    exercise.random = random_problem;
    exercise.level_of = level_of;
    return exercise;
}

} // namespace assay
