#include "commands/bench_run.hpp"

#include "commands/stop.hpp"
#include "core/monotonic.hpp"
#include "judge/sampled.hpp"

#include <algorithm>
#include <optional>

namespace assay {

const Bench* find_bench(const Exercise& exercise, const std::string& id) {
    for (const Bench& bench : exercise.benches)
        if (bench.id == id) return &bench;
    return nullptr;
}

BenchRun::BenchRun(const Exercise& exercise, std::vector<Program> programs, std::string reference, int threads)
    : exercise_(exercise), programs_(std::move(programs)), reference_(std::move(reference)), threads_(threads),
      secret_(drawn_secret()) {
    Outcome<std::unique_ptr<roofline::LimitsMeter>> meter = roofline::LimitsMeter::make(threads);
    if (meter) {
        meter_ = std::move(*meter);
        meter_->sample(0.5);
    } else
        notes_.push_back(meter.failure().reason);
}

roofline::MachineLimits BenchRun::limits() const {
    if (meter_) return meter_->best();
    roofline::MachineLimits unknown;
    unknown.threads = threads_;
    return unknown;
}

const Level& BenchRun::level_of(const Problem& problem) const {
    const Level* level = level_that_asks(exercise_, problem);
    return level != nullptr ? *level : plain_;
}

timing::Race BenchRun::race_once(const Bench& bench, const std::vector<const Program*>& programs, double seconds) {
    const std::uint64_t first = secret_ + (races_++ << 32); // the contents of a race are its own
    const Problem shape = bench.make(first);
    const Level& level = level_of(shape);
    std::vector<std::unique_ptr<WorkerContestant>> contestants;
    std::vector<timing::Entrant> entrants;
    timing::Rules rules;
    rules.seconds = seconds;
    for (const Program* program : programs) {
        if (program->name == reference_) rules.reference = entrants.size();
        contestants.push_back(std::make_unique<WorkerContestant>(exercise_, level, program->setup));
        entrants.push_back({program->name, contestants.back().get()});
    }
    WorkerContestant twin(exercise_, level, programs.front()->setup);
    SampledCheck check(exercise_, bench, ~first);
    timing::Course course;
    course.make = [&](int round) {
        Problem problem = bench.make(first + static_cast<std::uint64_t>(round + 2));
        check.begin(problem);
        return problem;
    };
    course.wrong = [&](const Problem&, const Answer& answer) { return check.wrong(answer); };
    course.now = monotonic;
    return timing::race(entrants, twin, course, rules);
}

BenchReport::Case BenchRun::run(const Bench& bench, double seconds, bool memory) {
    const Problem problem = bench.make(secret_);
    BenchReport::Case result;
    result.id = bench.id;
    result.why = bench.why;
    result.cost = bench.cost(problem);
    result.allowed = timing::Rules().allowed;
    std::vector<const Program*> running;
    for (const Program& program : programs_) {
        running.push_back(&program);
        result.contestants.emplace_back();
    }
    const auto place_of = [&](const Program* program) { return static_cast<std::size_t>(program - programs_.data()); };
    while (!running.empty()) {
        timing::Race race = race_once(bench, running, seconds);
        if (meter_) meter_->sample(0.25);
        if (meter_) result.floor = timing::floor_of(result.cost, meter_->best());
        timing::refuse_below(result.floor.seconds(), race);
        result.control = race.control;
        result.rounds = race.rounds;
        result.seconds += race.seconds;
        for (std::size_t i = 0; i < running.size(); ++i)
            result.contestants[place_of(running[i])].timing = std::move(race.timings[i]);
        if (!result.contestants[place_of(running.front())].timing.disqualified) break;
        running.erase(running.begin()); // with it went the control: the others race again
    }
    for (std::size_t i = 0; memory && i < programs_.size(); ++i) {
        if (result.contestants[i].timing.disqualified) continue;
        WorkerContestant contestant(exercise_, level_of(problem), programs_[i].setup);
        const Outcome<std::int64_t> peak = contestant.peak_bytes(problem);
        if (peak) result.contestants[i].peak = *peak;
    }
    return result;
}

} // namespace assay
