#include "commands/bench_run.hpp"

#include "commands/device_contestant.hpp"
#include "commands/stop.hpp"
#include "core/monotonic.hpp"
#include "judge/sampled.hpp"

#include <algorithm>
#include <limits>
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

BenchRun::BenchRun(const Exercise& exercise, std::vector<Program> programs, std::string reference, int threads,
                   DeviceFloors floors)
    : exercise_(exercise), programs_(std::move(programs)), reference_(std::move(reference)), threads_(threads),
      secret_(drawn_secret()), floors_(std::move(floors)) {}

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

struct BenchRun::Raced {
    timing::Race race;
    std::vector<std::optional<timing::DeviceClocks>> clocks; // of each program, where it runs on a device

    void refuse_outside() {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < clocks.size(); ++i)
            if (clocks[i] && !race.timings[i].samples.empty()) least = std::min(least, clocks[i]->outside);
        for (std::size_t i = 0; i < clocks.size(); ++i)
            if (clocks[i] && race.timings[i].has_figure())
                race.timings[i].refused = timing::doubt_outside(clocks[i]->outside, least);
    }
};

BenchRun::Raced BenchRun::race_once(const Bench& bench, const std::vector<const Program*>& programs, double seconds) {
    const std::uint64_t first = secret_ + (races_++ << 32); // the contents of a race are its own
    const Problem shape = bench.make(first);
    const Level& level = level_of(shape);
    std::vector<std::unique_ptr<timing::Contestant>> contestants; // the twin last
    std::vector<const DeviceContestant*> on_device;               // null where it does not run on one
    const auto add = [&](const Program& program) {
        if (program.on_device) {
            auto made = std::make_unique<DeviceContestant>(exercise_, level, program.setup);
            on_device.push_back(made.get());
            contestants.push_back(std::move(made));
        } else {
            on_device.push_back(nullptr);
            contestants.push_back(std::make_unique<WorkerContestant>(exercise_, level, program.setup));
        }
    };
    std::vector<timing::Entrant> entrants;
    timing::Rules rules;
    rules.seconds = seconds;
    for (const Program* program : programs) {
        if (program->name == reference_) rules.reference = entrants.size();
        add(*program);
        entrants.push_back({program->name, contestants.back().get()});
    }
    add(*programs.front());
    SampledCheck check(exercise_, bench, ~first);
    timing::Course course;
    course.make = [&](int round) {
        Problem problem = bench.make(first + static_cast<std::uint64_t>(round + 2));
        check.begin(problem);
        return problem;
    };
    course.wrong = [&](const Problem&, const Answer& answer) { return check.wrong(answer); };
    course.now = monotonic;
    Raced raced{timing::race(entrants, *contestants.back(), course, rules), {}};
    for (std::size_t i = 0; i < programs.size(); ++i)
        raced.clocks.push_back(on_device[i] != nullptr ? std::optional(on_device[i]->clocks()) : std::nullopt);
    raced.refuse_outside();
    return raced;
}

void BenchRun::set_floor(const Problem& problem, BenchReport::Case& result) const {
    if (floors_) {
        const timing::DeviceFloor most = floors_(storage_of(problem));
        result.limits = most.source;
        result.floor = timing::floor_of(result.cost, written_bytes(exercise_, problem), most);
    } else if (meter_)
        result.floor = timing::floor_of(result.cost, meter_->best());
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
        result.contestants.back().on_device = program.on_device;
    }
    const auto place_of = [&](const Program* program) { return static_cast<std::size_t>(program - programs_.data()); };
    while (!running.empty()) {
        Raced raced = race_once(bench, running, seconds);
        timing::Race& race = raced.race;
        if (meter_) meter_->sample(0.25);
        set_floor(problem, result);
        if (floors_)
            timing::refuse_below(result.floor.seconds(), race, "it was done in a narrower type than the contract's");
        else
            timing::refuse_below(result.floor.seconds(), race);
        result.control = race.control;
        result.rounds = race.rounds;
        result.seconds += race.seconds;
        for (std::size_t i = 0; i < running.size(); ++i) {
            BenchReport::Contestant& entered = result.contestants[place_of(running[i])];
            entered.timing = std::move(race.timings[i]);
            entered.clocks = raced.clocks[i];
        }
        if (!result.contestants[place_of(running.front())].timing.disqualified) break;
        running.erase(running.begin()); // with it went the control: the others race again
    }
    for (std::size_t i = 0; memory && i < programs_.size(); ++i) {
        // What a process holds on a device no clock of the host's memory sees.
        if (result.contestants[i].timing.disqualified || programs_[i].on_device) continue;
        WorkerContestant contestant(exercise_, level_of(problem), programs_[i].setup);
        const Outcome<std::int64_t> peak = contestant.peak_bytes(problem);
        if (peak) result.contestants[i].peak = *peak;
    }
    return result;
}

} // namespace assay
