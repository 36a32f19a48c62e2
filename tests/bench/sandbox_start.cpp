// What isolation costs at the start of a worker, by level. A benchmark, never a test: it fails only where something
// cannot be run. Give it an idle machine.
//
//   sandbox-start [ROUNDS]     50 unless given
//
// In turn, ROUNDS times after one that is not counted: a worker of `sdpa` with the model solution is started and has
// said hello, then is ended, which is not timed. "bare" is the worker alone, started as any program; the others are
// under the layers of a level, as far as they work here. The last column is the median of the differences to the bare
// start of the same round; 8 ms is what a start may cost more.
#include "attempt/arena.hpp"
#include "attempt/build.hpp"
#include "attempt/toolchain.hpp"
#include "attempt/worker_process.hpp"
#include "catalogue/files.hpp"
#include "catalogue/settings.hpp"
#include "core/registry.hpp"
#include "wire/channel.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace {

using namespace assay;

[[noreturn]] void stop(const std::string& sentence) {
    fmt::print(stderr, "sandbox-start: {}\n", sentence);
    std::exit(3);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

struct Contestant {
    std::string name;
    Layers layers; // of all but the bare one
    std::vector<double> milliseconds, more;
};

class Workbench {
  public:
    Workbench() : arena_(made_arena()), setup_(made_setup()) {
        const Layers& all = layers_here();
        contestants_.push_back({"bare", all, {}, {}});
        const std::vector<std::vector<Layer>> left_out{
            {Layer::landlock, Layer::seccomp, Layer::bubblewrap, Layer::cgroup},
            {Layer::bubblewrap, Layer::cgroup},
            {Layer::cgroup},
            {}};
        for (const std::vector<Layer>& layers : left_out) {
            const Layers rest = without(all, layers);
            const std::string name(name_of(rest.level()));
            if (contestants_.back().name != name) contestants_.push_back({name, rest, {}, {}});
        }
    }

    void go(int rounds) {
        for (int round = -1; round < rounds; ++round)
            for (Contestant& one : contestants_) {
                const double taken = one.name == "bare" ? bare() : confined(one.layers);
                if (round < 0) continue;
                one.milliseconds.push_back(taken);
                one.more.push_back(taken - contestants_.front().milliseconds.back());
            }
        fmt::print("{:<11} {:>8} {:>8} {:>8} {:>10}\n", "start, ms", "median", "least", "most", "over bare");
        for (const Contestant& one : contestants_)
            fmt::print("{:<11} {:>8.2f} {:>8.2f} {:>8.2f} {:>10.2f}\n", one.name, median(one.milliseconds),
                       *std::min_element(one.milliseconds.begin(), one.milliseconds.end()),
                       *std::max_element(one.milliseconds.begin(), one.milliseconds.end()), median(one.more));
    }

  private:
    const Exercise& exercise_ = *find_exercise("sdpa");
    std::unique_ptr<Arena> arena_;
    WorkerSetup setup_;
    std::vector<Contestant> contestants_;

    static std::unique_ptr<Arena> made_arena() {
        Outcome<std::unique_ptr<Arena>> arena = Arena::make(std::size_t{1} << 30);
        if (!arena) stop(arena.failure().reason);
        return std::move(*arena);
    }

    static WorkerSetup made_setup() {
        const auto settings = settings_of("sdpa");
        if (!settings) stop(settings.failure().reason);
        const Layout& place = layout();
        const BuildInputs inputs{place.contract("sdpa"), place.headers(), place.entry_object("sdpa"), settings->flags};
        BuildOptions options;
        options.cache = cache_folder();
        const auto toolchain = find_toolchain("", options.cache);
        if (!toolchain) stop(toolchain.failure().reason);
        const auto built = build(source_checkout() / "solutions/sdpa/solution.cpp", inputs, *toolchain, options);
        if (!built) stop(built.failure().reason);
        WorkerSetup setup;
        setup.worker = place.worker("sdpa");
        setup.library = built->library;
        return setup;
    }

    template <class Work> static double milliseconds_of(Work work) {
        const auto start = std::chrono::steady_clock::now();
        work();
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }

    double confined(const Layers& layers) {
        setup_.layers = &layers;
        Outcome<std::unique_ptr<WorkerProcess>> worker = Failure{Verdict::JE, "", {}};
        const double taken =
            milliseconds_of([&] { worker = WorkerProcess::start(setup_, *arena_, exercise_.signatures.size()); });
        if (!worker) stop(worker.failure().reason + " " + worker.failure().detail);
        return taken;
    }

    double bare() const {
        Command command;
        command.arguments = {setup_.worker.string(), setup_.library.string()};
        command.environment = clean_environment();
        pid_t pid = -1;
        const auto [ours, theirs] = make_channel();
        const double taken = milliseconds_of([&, end = theirs, own = ours] {
            command.descriptors = {{end, channel_descriptor}, {arena_->descriptor(), arena_descriptor}};
            const Outcome<pid_t> started = start(command);
            ::close(end);
            std::vector<char> hello;
            if (!started) stop(started.failure().reason);
            pid = *started;
            if (receive_message(own, hello, true) != Received::message) stop("the bare worker did not say hello");
        });
        kill_and_reap(pid);
        ::close(ours);
        return taken;
    }
};

} // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 50;
    if (argc > 2 || rounds < 3) {
        fmt::print(stderr, "usage: sandbox-start [ROUNDS, at least 3]\n");
        return 2;
    }
    Workbench().go(rounds);
    finish_background_builds();
}
