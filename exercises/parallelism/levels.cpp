// The levels of `parallelism`: what is asked in which order.
#include "cases.hpp"
#include "contract.hpp"
#include "core/level.hpp"
#include "core/registry.hpp"
#include "oracle.hpp"
#include "wire/signature.hpp"

namespace assay {

namespace {

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
        make_level("shard", "Column parallel, then row parallel: the parts", {"shard"}, shard_cases()),
        make_level("forward", "The layer on n ranks, one all_reduce", {"forward"}, forward_cases()),
        make_level("sequence", "Sequence parallel: gather and scatter", {"sequence"}, sequence_cases()),
        make_level("traffic", "Bytes held and sent", {"count_traffic"}, traffic_cases()),
        make_level("bubble", "The pipeline's bubble and live micro-batches", {"count_bubble"}, bubble_cases()),
        make_level("schedules", "GPipe and 1F1B, step by step", {"write_schedule"}, schedule_cases()),
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
