// The levels of `broadcast`: what is asked in which order, and by whom it is judged.
#include "cases.hpp"
#include "contract.hpp"
#include "core/level.hpp"
#include "core/registry.hpp"
#include "oracle.hpp"
#include "oracle_runs.hpp"
#include "wire/signature.hpp"

namespace assay {

namespace {

std::string level_of(const Problem& problem) {
    if (problem.route == "make_planner") return "plan";
    if (problem.route == "resume_planner") return "faults";
    if (problem.route == "best_chunks") return "best-chunks";
    return problem.route == "rack_plans" ? "racks" : "closed-forms";
}

} // namespace

ASSAY_EXERCISE(broadcast) {
    using namespace broadcast_judge;
    Exercise exercise;
    exercise.id = "broadcast";
    exercise.signatures = ASSAY_SIGNATURES();
    exercise.levels.push_back(
        make_level("closed-forms", "The plans in closed form", {"plan_times", "swarm_bound"}, closed_form_cases()));
    exercise.levels.push_back(
        make_level("best-chunks", "The best number of chunks", {"best_chunks"}, best_chunk_cases()));
    exercise.levels.push_back(make_level("racks", "Racks behind narrow uplinks", {"rack_plans"}, rack_cases()));
    exercise.levels.push_back(make_level("plan", "A plan, chunk by chunk", {"make_planner"}, run_cases()));
    exercise.levels.push_back(
        make_level("faults", "Corrupt chunks, dead nodes, a restart", {"resume_planner"}, fault_cases()));
    for (Level& one : exercise.levels)
        if (one.id == "plan" || one.id == "faults") one.script = play_attempt;
    exercise.mistakes = mistakes();
    set_calculator(exercise, oracle);
    exercise.valid = valid;
    exercise.random = random_problem;
    exercise.level_of = level_of;
    exercise.story = story_of;
    exercise.shown = shown_by;
    return exercise;
}

} // namespace assay
