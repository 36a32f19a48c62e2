// The levels of `batching`: what is asked in which order, and by whom it is judged.
#include "cases.hpp"
#include "contract.hpp"
#include "core/level.hpp"
#include "core/registry.hpp"
#include "oracle.hpp"
#include "simulate/policy.hpp"
#include "wire/signature.hpp"

namespace assay {

namespace {

using namespace batching_judge;

constexpr std::int64_t longest_foretold = 20; // requests

/// The attempt's batcher, asked through the contract.
class Remote final : public Policy {
  public:
    Remote(Caller& caller, const char* maker, const Settings& s)
        : object_(caller, "batcher", maker, {s.max_batch, s.timeout, s.queue, s.token_budget}) {}

    void on_arrival(Time now, std::int64_t request, std::int64_t length, Decision& decision) override {
        take(object_.call("on_arrival", {now, request, length}, 1), decision);
    }
    void on_completion(Time now, Ending how, Decision& decision) override {
        const std::vector<Array> answer = object_.call("on_completion", {now, static_cast<std::int64_t>(how)}, 3);
        take(answer, decision);
        const Array &rows = answer[3], &given_up = answer[4];
        for (std::int64_t i = 0; i + 1 < rows.storage_elements(); i += 2)
            decision.answers.emplace_back(whole(rows, i), whole(rows, i + 1));
        for (std::int64_t i = 0; i < given_up.storage_elements(); ++i) decision.given_up.push_back(whole(given_up, i));
    }
    void on_timer(Time now, Decision& decision) override { take(object_.call("on_timer", {now}, 1), decision); }

    void destroy() { object_.destroy(); }

  private:
    PolicyObject object_;

    static std::int64_t whole(const Array& array, std::int64_t i) { return static_cast<std::int64_t>(array.stored(i)); }

    /// fire, reject, wake; the batch is the last list.
    static void take(const std::vector<Array>& answer, Decision& decision) {
        decision.fire = answer[0].stored(0) != 0;
        decision.reject = answer[1].stored(0) != 0;
        decision.wake = whole(answer[2], 0);
        const Array& batch = answer.back();
        for (std::int64_t i = 0; i < batch.storage_elements(); ++i) decision.batch.push_back(whole(batch, i));
    }
};

Script run_with(const char* maker) {
    return [maker](Caller& caller, const Problem& problem) {
        return simulated([&] {
            const Workload work = workload_of(problem);
            Remote batcher(caller, maker, work.settings);
            World world(work, batcher);
            world.run();
            batcher.destroy();
            return outputs_of(world, work.resilient);
        });
    };
}

std::string level_of(const Problem& problem) {
    if (problem.route == "plan") return "capacity";
    if (problem.route == "load_test" || problem.route == "best_timeout") return "slo";
    return problem.route == "compare" ? "per-step" : problem.route;
}

} // namespace

ASSAY_EXERCISE(batching) {
    Exercise exercise;
    exercise.id = "batching";
    exercise.signatures = ASSAY_SIGNATURES();
    auto& levels = exercise.levels;
    levels.push_back(make_level("capacity", "Throughput, latency, replicas, memory", {"plan"}, capacity_cases()));
    levels.push_back(make_level("batcher", "The batcher", {"make_batcher"}, batcher_cases()));
    levels.back().script = run_with("make_batcher");
    levels.push_back(
        make_level("slo", "Percentiles, and the timeout for an SLO", {"load_test", "best_timeout"}, slo_cases()));
    levels.push_back(
        make_level("faults", "Lengths, poison and dying accelerators", {"make_resilient_batcher"}, faults_cases()));
    levels.back().script = run_with("make_resilient_batcher");
    levels.push_back(make_level("per-step", "Batching per decode step", {"compare"}, per_step_cases()));
    exercise.mistakes = mistakes();
    set_calculator(exercise, oracle);
    // Level 4 leaves a batcher free in how it takes a failed batch apart: where that happens often, whom a mistake hits
    // first cannot be foretold.
    exercise.oracle = [](const Problem& problem, std::string_view mistake, int form) -> std::optional<Truths> {
        const bool open = problem.route == "faults" && problem.array("arrivals").size() > longest_foretold;
        if (open && !mistake.empty()) return std::nullopt;
        return oracle(problem, mistake.empty() ? Slips() : Slips{{std::string(mistake), form}});
    };
    // Two mistakes in one batcher make a run of their own; only the calculators' numbers show them apart.
    exercise.combined = [](const Problem& problem, const Slips& on) -> std::optional<Truths> {
        if (is_run(problem)) return std::nullopt;
        return oracle(problem, on);
    };
    exercise.valid = valid;
    exercise.random = random_problem;
    exercise.level_of = level_of;
    exercise.story = story;
    exercise.suspects = suspects;
    return exercise;
}

} // namespace assay
