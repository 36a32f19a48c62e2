// The levels of `parallelism`: what is asked in which order.
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
    if (problem.route == "count_traffic") return "traffic";
    if (problem.route == "count_bubble") return "bubble";
    return problem.route == "write_schedule" ? "schedules" : problem.route;
}

} // namespace

ASSAY_EXERCISE(parallelism) {
    using namespace parallelism_judge;
    Exercise exercise;
    exercise.id = "parallelism";
    exercise.signatures = ASSAY_SIGNATURES();
    exercise.levels = {
        level("shard", "Column parallel, then row parallel: the parts", "shard", shard_cases()),
        level("forward", "The layer on n ranks, one all_reduce", "forward", forward_cases()),
        level("sequence", "Sequence parallel: gather and scatter", "sequence", sequence_cases()),
        level("traffic", "Bytes held and sent", "count_traffic", traffic_cases()),
        level("bubble", "The pipeline's bubble and live micro-batches", "count_bubble", bubble_cases()),
        level("schedules", "GPipe and 1F1B, step by step", "write_schedule", schedule_cases()),
    };
    exercise.levels.back().script = play_schedule;
    exercise.mistakes = mistakes();
    set_calculator(exercise, oracle);
    exercise.plain = plain;
    exercise.valid = valid;
    exercise.random = random_problem;
    exercise.level_of = level_of;
    return exercise;
}

} // namespace assay
