// What the gradients of `sdpa` cost. A benchmark, never a test. Give it an idle machine.
//
//   sdpa-backward [SECONDS [FILE...]]     10 seconds a case unless given; FILEs race beside fast.cpp and solution.cpp
//
// The race of `assay bench` (its control, its checks, its floor) on level 8's function, which the exercise itself does
// not time. Every answer is checked whole, in float64, and the readable solution takes seconds: hence short lengths.
#include "catalogue/settings.hpp"
#include "commands/bench_run.hpp"
#include "commands/stop.hpp"
#include "core/registry.hpp"
#include "report/bench.hpp"

#include "cases.hpp"

#include <cstdlib>
#include <fmt/format.h>

namespace {

using namespace assay;
using namespace assay::sdpa_judge;

/// Without what the forward pass left: logits, dout · v, and the three sums; one exponential a pair.
Cost cost_of(const Problem& problem) {
    const Index &q = problem.array("q").extents, &v = problem.array("v").extents;
    const auto rows = static_cast<double>(q[0] * q[1] * q[2]), D = static_cast<double>(q[3]);
    const auto Lq = static_cast<double>(q[2]), Lk = static_cast<double>(v[2]), Dv = static_cast<double>(v[3]);
    const double pairs = problem.flag("causal") ? rows * (Lk - (Lq - 1) / 2) : rows * Lk;
    Cost cost;
    cost.flops = pairs * 2 * (3 * D + 2 * Dv);
    cost.exponentials = pairs;
    for (const char* name : {"q", "k", "v", "dout", "dq", "dk", "dv"})
        cost.bytes += static_cast<double>(problem.array(name).size()) * 4;
    cost.state_bytes = rows * 3 * 4; // largest logit, sum of weights, δ
    return cost;
}

Bench bench(std::string id, std::string why, const Shape& shape, bool causal) {
    Bench one;
    one.id = id;
    one.why = std::move(why);
    one.make = [shape, causal, id](std::uint64_t seed) {
        Draft draft("attention_backward", shape, seed, id);
        draft.causal = causal;
        return draft.problem();
    };
    one.cost = cost_of;
    return one;
}

Program ready(Program program) {
    if (program.refused.empty()) return program;
    fmt::print(stderr, "sdpa-backward: {}: {}\n{}", program.name, program.refused, program.diagnostics);
    std::exit(2);
}

} // namespace

int main(int count, char** words) try {
    const double seconds = count > 1 ? std::atof(words[1]) : 10;
    const Exercise& exercise = *find_exercise("sdpa");
    const Outcome<Settings> settings = settings_of("sdpa");
    const ScratchFolder folder;
    BuildFor with{exercise, *settings};
    with.cpu_seconds = 600;
    std::vector<Program> programs;
    for (int n = 2; n < count; ++n) programs.push_back(ready(make_program(words[n], words[n], with)));
    for (const char* name : {"fast", "solution"})
        programs.push_back(ready(make_program(name, *lay_own(exercise, name, folder.path()), with)));
    BenchReport report;
    report.exercise = "sdpa, backward";
    report.title = settings->title;
    report.environment.flags = "[build] and -march=native";
    report.reference = "solution";
    BenchRun run(exercise, std::move(programs), report.reference, settings->threads);
    for (const Bench& one :
         {bench("1x8x256x64", "eight heads of 256 tokens", {1, 8, 8, 256, 256, 64, 64}, false),
          bench("causal-1x8x256x64", "half the keys are in the future", {1, 8, 8, 256, 256, 64, 64}, true),
          bench("2x6x125x40", "odd lengths and widths, grouped heads", {2, 6, 3, 125, 131, 40, 56}, false)})
        report.cases.push_back(run.run(one, seconds, true));
    report.limits = run.limits();
    report.notes = run.notes();
    fmt::print("{}", bench_terminal(report, Style()));
    return 0;
} catch (const Stop& stop) {
    fmt::print(stderr, "sdpa-backward: {}\n", stop.what());
    return static_cast<int>(stop.exit());
}
