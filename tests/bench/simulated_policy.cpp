// What a simulated exercise costs. A benchmark, never a test: it fails only where something cannot be run. Give it an
// idle machine.
//
//   simulated-policy [ARRIVALS]     100000 unless given
//
// Four contestants, run in turn 5 times after one round that is not counted; medians, with the smallest and largest, of
// one run of `batching` over a Poisson workload:
//   a  the event queue alone, each event scheduling the next
//   b  the simulator with the reference batcher in process: no worker's round trips
//   c  the model solution in a worker, the judge and it on whatever cores the system gives them
//   d  a call of the model solution that does next to nothing (on_timer, when nothing waits)
// then c less b, over the number of calls: what asking costs.
#include "attempt/build.hpp"
#include "attempt/build_cache.hpp"
#include "attempt/toolchain.hpp"
#include "attempt/worker_attempt.hpp"
#include "catalogue/files.hpp"
#include "catalogue/settings.hpp"
#include "core/registry.hpp"

#include "cases.hpp"
#include "oracle.hpp"
#include "oracle_batcher.hpp"
#include "simulate/policy.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>

namespace {

using namespace assay;
using namespace assay::batching_judge;

constexpr int rounds = 5;

[[noreturn]] void stop(const std::string& sentence) {
    fmt::print(stderr, "simulated-policy: {}\n", sentence);
    std::exit(3);
}

template <class Work> double seconds_of(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Counts what the attempt will be asked.
class Counting final : public Policy {
  public:
    explicit Counting(Policy& inner) : inner_(inner) {}
    std::int64_t calls = 0;

    void on_arrival(Time now, std::int64_t request, std::int64_t length, Decision& decision) override {
        ++calls;
        inner_.on_arrival(now, request, length, decision);
    }
    void on_completion(Time now, Ending how, Decision& decision) override {
        ++calls;
        inner_.on_completion(now, how, decision);
    }
    void on_timer(Time now, Decision& decision) override {
        ++calls;
        inner_.on_timer(now, decision);
    }

  private:
    Policy& inner_;
};

class Chain final : public Simulation<int> {
  public:
    explicit Chain(std::int64_t left) : left_(left) { schedule(0, 0, 0); }

  private:
    std::int64_t left_;
    void happen(const int& event) override {
        if (left_-- > 0) schedule(now() + 1, event, event);
    }
};

struct Contestant {
    const char* what;
    double per; // divides its times
    const char* unit;
    std::vector<double> times = {};

    double median() const {
        std::vector<double> sorted = times;
        std::sort(sorted.begin(), sorted.end());
        return sorted[sorted.size() / 2];
    }
    void print(char letter) const {
        const auto [least, most] = std::minmax_element(times.begin(), times.end());
        fmt::print("{}  {:<44} {:>8.3f} {}   ({:.3f} to {:.3f})\n", letter, what, median() / per, unit, *least / per,
                   *most / per);
    }
};

class Workbench {
  public:
    explicit Workbench(std::int64_t arrivals) : exercise_(*find_exercise("batching")) {
        Random random(0, "bench");
        problem_ = batcher_problem(long_day(random, arrivals));
        work_ = workload_of(problem_);
        Reference reference(work_.settings, false, {});
        Counting counting(reference);
        World world(work_, counting);
        world.run();
        calls_ = counting.calls;
        events_ = world.events();
        attempt_ = std::make_unique<WorkerAttempt>(exercise_, setup());
        if (const auto missing = attempt_->missing_functions(); !missing) stop(missing.failure().reason);
    }

    void go() {
        const Level& level = exercise_.levels[1];
        Level idle = level;
        constexpr int calls = 20'000;
        idle.script = [](Caller& caller, const Problem&) {
            return simulated([&] {
                PolicyObject object(caller, "batcher", "make_batcher",
                                    {std::int64_t{4}, std::int64_t{0}, std::int64_t{8}, std::int64_t{4}});
                for (std::int64_t now = 0; now < calls; ++now) object.call("on_timer", {now}, 1);
                object.destroy();
                return Outputs{};
            });
        };
        const auto per_event = static_cast<double>(events_) * 1e-6;
        Contestant all[] = {{"the event queue alone, an event", 1, "us"},
                            {"simulator, batcher in process, an event", per_event, "us"},
                            {"simulator, batcher in a worker, a call", static_cast<double>(calls_) * 1e-6, "us"},
                            {"a call that does nothing", calls * 1e-6, "us"}};
        for (int round = -1; round < rounds; ++round) {
            const double times[] = {seconds_of([] {
                                        Chain chain(1'000'000);
                                        chain.run(2'000'000);
                                    }),
                                    seconds_of([&] {
                                        Reference reference(work_.settings, false, {});
                                        World world(work_, reference);
                                        world.run();
                                    }),
                                    answered(level), answered(idle)};
            for (std::size_t n = 0; round >= 0 && n < 4; ++n) all[n].times.push_back(times[n]);
        }
        fmt::print("{} events, {} calls, {} rounds\n", events_, calls_, rounds);
        for (std::size_t n = 0; n < 4; ++n) all[n].print(static_cast<char>('a' + n));
        fmt::print("b: {:.2g} events a second; (c - b) / calls = {:.2f} us\n",
                   static_cast<double>(events_) / all[1].median(),
                   (all[2].median() - all[1].median()) / static_cast<double>(calls_) * 1e6);
    }

  private:
    const Exercise& exercise_;
    Problem problem_;
    Workload work_;
    std::int64_t calls_ = 0, events_ = 0;
    std::unique_ptr<WorkerAttempt> attempt_;

    double answered(const Level& level) {
        return seconds_of([&] {
            if (const auto answer = attempt_->answer(level, problem_); !answer) stop(answer.failure().reason);
        });
    }

    WorkerSetup setup() const {
        const auto settings = settings_of("batching");
        if (!settings) stop(settings.failure().reason);
        const Layout& place = layout();
        const BuildInputs inputs{place.contract("batching"), place.headers(), place.entry_object("batching"),
                                 settings->flags};
        BuildOptions options;
        options.cache = cache_folder();
        const auto toolchain = find_toolchain("", options.cache);
        if (!toolchain) stop(toolchain.failure().reason);
        const auto built = build(source_checkout() / "solutions/batching/solution.cpp", inputs, *toolchain, options);
        if (!built) stop(built.failure().reason);
        WorkerSetup setup;
        setup.worker = place.worker("batching");
        setup.library = built->library;
        setup.cpu_seconds = settings->cpu_seconds;
        setup.memory = settings->memory;
        setup.output_bytes = settings->output_bytes;
        setup.threads = settings->threads;
        return setup;
    }
};

} // namespace

int main(int argc, char** argv) {
    const std::int64_t arrivals = argc > 1 ? std::atoll(argv[1]) : 100'000;
    if (argc > 2 || arrivals < 100) {
        fmt::print(stderr, "usage: simulated-policy [ARRIVALS, at least 100]\n");
        return 2;
    }
    try {
        Workbench(arrivals).go();
    } catch (const std::exception& error) {
        stop(error.what());
    }
}
