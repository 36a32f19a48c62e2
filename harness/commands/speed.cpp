#include "commands/speed.hpp"

#include "attempt/build_cuda.hpp"
#include "commands/bench_run.hpp"
#include "commands/growth.hpp"
#include "commands/record_frame.hpp"
#include "commands/stop.hpp"
#include "roofline/machine.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace assay {

namespace {

SpeedRecord::Case entered(const BenchReport::Case& raced) {
    const BenchReport::Contestant& attempt = raced.contestants.front();
    const timing::Timing& timing = attempt.timing;
    SpeedRecord::Case one;
    one.id = raced.id;
    one.refused = timing.refused;
    if (one.refused.empty() && !(timing.ratio > 0)) one.refused = "there is no time of the solution to set it beside";
    one.ratio = timing.ratio;
    one.low = timing.ratios.low;
    one.high = timing.ratios.high;
    one.seconds = timing.median;
    one.share = timing.median > 0 ? raced.floor.seconds() / timing.median : 0;
    one.rounds = static_cast<int>(timing.samples.size());
    one.control = raced.control;
    one.faster_than_floor = timing.faster_than_floor;
    one.peak = attempt.peak;
    return one;
}

SpeedRecord untimed(const SpeedLevel& level, const std::string& reason) {
    SpeedRecord record;
    record.id = level.id;
    record.title = level.title;
    record.points = level.points;
    record.by_exponent = level.by_exponent();
    record.thresholds = level.thresholds;
    record.reason = reason;
    return record;
}

} // namespace

int thresholds_reached(const SpeedRecord& speed) {
    if (speed.cases.empty()) return 0;
    int reached = 0;
    for (const double threshold : speed.thresholds)
        if (std::all_of(speed.cases.begin(), speed.cases.end(),
                        [&](const SpeedRecord::Case& one) { return one.refused.empty() && one.high >= threshold; }))
            ++reached;
    return reached;
}

void enter_speed(const SpeedRequest& request, Record& record) {
    const auto [exercise, settings] = exercise_at_hand(record.exercise);
    record.speed.clear();
    if (exercise.speed.empty()) return;
    const auto refuse = [&levels = exercise.speed, &record](const std::string& reason) {
        for (const SpeedLevel& level : levels) record.speed.push_back(untimed(level, "not timed: " + reason));
    };
    if (record.environment.device == "cuda") return refuse("an attempt is timed beside the solution on the CPU alone");
    if (is_cuda(request.source)) return refuse(fmt::format("{}", untimed_emulation));
    if (record.verdict != Verdict::AC || record.partial) return refuse("only an attempt that passes every level is");
    const ScratchFolder folder;
    BuildFor with{exercise, settings};
    with.compiler = request.compiler;
    with.layers = request.layers;
    with.threads = std::min(settings.threads, roofline::this_machine().processors);
    with.cpu_seconds = 12 * request.seconds;
    const auto solution = lay_own(exercise, "solution", folder.path());
    if (!solution) throw Stop(Exit::fault, fmt::format("solutions/{}/solution.cpp is missing", exercise.id));
    std::vector<Program> programs{make_program("attempt", request.source, with),
                                  make_program("solution", *solution, with)};
    for (const Program& program : programs)
        if (!program.refused.empty())
            return refuse(fmt::format("built for this processor (-march=native), the {} is not ready: {}", program.name,
                                      program.refused));
    if (programs.front().source_hash != record.source_hash)
        return refuse("its sources are no longer those that were checked");
    enter_growth(exercise, programs.front(), request.seconds / 2, record);
    std::optional<BenchRun> run; // measures the machine first: only where something is raced
    for (const SpeedLevel& level : exercise.speed) {
        SpeedRecord speed = untimed(level, "");
        if (!level.benches.empty() && !run) run.emplace(exercise, programs, "solution", with.threads);
        for (const std::string& id : level.benches) {
            const Bench* bench = find_bench(exercise, id);
            if (bench == nullptr)
                throw Stop(Exit::fault,
                           fmt::format("{}'s timed level {} names no bench: {}", exercise.id, level.id, id));
            speed.cases.push_back(entered(run->run(*bench, request.seconds, true)));
        }
        speed.reached = level.by_exponent() ? exponents_reached(level, record.growth) : thresholds_reached(speed);
        speed.earned = level.points * speed.reached / std::max(1, static_cast<int>(level.thresholds.size()));
        record.speed.push_back(std::move(speed));
    }
}

} // namespace assay
