#include "commands/bench.hpp"

#include "catalogue/settings.hpp"
#include "catalogue/state.hpp"
#include "commands/bench_programs.hpp"
#include "commands/bench_run.hpp"
#include "commands/build_inputs.hpp"
#include "commands/isolation.hpp"
#include "commands/print.hpp"
#include "core/cuda_contract.hpp"
#include "core/registry.hpp"
#include "report/bench.hpp"
#include "report/text.hpp"
#include "roofline/machine.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <optional>
#include <unistd.h>
#include <utility>

namespace assay {

namespace {

std::vector<const Bench*> benches_of(const Exercise& exercise, const BenchArguments& arguments) {
    if (exercise.benches.empty() && !exercise.speed.empty())
        throw Stop(
            Exit::usage,
            fmt::format("{0} has nothing to race; assay check {0} --speed measures how its time grows", exercise.id));
    if (exercise.benches.empty()) throw Stop(Exit::usage, fmt::format("{} has nothing to time", exercise.id));
    std::vector<std::string> ids;
    for (const Bench& bench : exercise.benches) ids.push_back(bench.id);
    if (arguments.cases.empty()) return {&exercise.benches.front()};
    std::vector<const Bench*> chosen;
    for (const std::string& id : arguments.cases) {
        const Bench* bench = find_bench(exercise, id);
        if (bench == nullptr) {
            const std::string near = nearest(id, ids);
            throw Stop(Exit::usage,
                       fmt::format("{} has no case {} to time ({}there are {})", exercise.id, printable(id),
                                   near.empty() ? "" : "did you mean " + near + "? ", fmt::join(ids, ", ")));
        }
        chosen.push_back(bench);
    }
    return chosen;
}

/// A case that is timed on a device asks a function that the CUDA contract has.
void require_in_cuda(const Exercise& exercise, const std::vector<const Bench*>& benches) {
    const std::vector<CudaFunction>& functions = cuda_contract_of(exercise.id);
    for (const Bench* bench : benches) {
        const std::string route = bench->make(0).route;
        if (std::none_of(functions.begin(), functions.end(), [&](const CudaFunction& f) { return f.name == route; }))
            throw Stop(Exit::usage, fmt::format("case {} asks {}, which {}'s CUDA contract does not have: time it on "
                                                "the CPU, without --device",
                                                bench->id, route, exercise.id));
    }
}

DeviceAtHand device_for_times() {
    Outcome<DeviceAtHand> found = find_device();
    if (!found)
        throw Stop(Exit::environment,
                   fmt::format("nothing can be timed on a GPU here: {}; time it where there is one, or on the CPU "
                               "without --device",
                               found.failure().reason));
    return std::move(*found);
}

/// What all programs are built with, and where they run.
void name_environment(const BuildFor& with, const std::string& compiler, BenchReport& report) {
    report.environment = environment_of(layers_here());
    Translator translator = find_translator("solution.cpp", compiler);
    if (with.device) {
        translator.device = with.device->compiler;
        report.device = {with.device->device.name, with.device->compiler.architecture};
    }
    name_translator(translator, with.settings, report.environment);
    if (!with.device) report.environment.flags += " -march=native";
}

Exit exit_of(const BenchReport& report) {
    for (const BenchReport::LeftOut& one : report.left_out)
        if (!is_own_program(one.name)) return Exit::falls_short;
    for (const BenchReport::Case& one : report.cases)
        for (const BenchReport::Contestant& each : one.contestants)
            if (each.timing.disqualified) return is_own_program(each.timing.name) ? Exit::fault : Exit::falls_short;
    return Exit::passed;
}

} // namespace

Exit bench_command(const BenchArguments& arguments) {
    require_isolation(arguments.isolation);
    if (arguments.device == WantedDevice::emulated)
        throw Stop(Exit::usage, fmt::format("an emulated device has no times: {}; --device cuda times attempts in CUDA "
                                            "on a GPU",
                                            untimed_emulation));
    if (!(arguments.seconds >= 0.1 && arguments.seconds <= 3600))
        throw Stop(Exit::usage,
                   fmt::format("--seconds must be a number from 0.1 to 3600; it is {:g}", arguments.seconds));
    std::string note;
    const State state = read_state(state_file(), note);
    print_note(note);
    const BenchTarget what = bench_target(arguments, state);
    const Outcome<Settings> settings = settings_of(what.exercise);
    if (!settings) throw Stop(Exit::fault, settings.failure().reason);
    const Exercise& exercise = *find_exercise(what.exercise);
    const bool on_device = arguments.device == WantedDevice::cuda;
    if (on_device && cuda_contract_of(exercise.id).empty())
        throw Stop(Exit::usage,
                   fmt::format("{} is not asked in CUDA: time it on the CPU, without --device", exercise.id));
    const std::vector<const Bench*> benches = benches_of(exercise, arguments);
    if (on_device) require_in_cuda(exercise, benches);
    const roofline::Machine machine = roofline::this_machine();
    const std::int64_t most = std::min<std::int64_t>(settings->threads, machine.processors);
    const std::int64_t threads = arguments.threads.value_or(most);
    if (threads < 1 || threads > machine.processors)
        throw Stop(Exit::usage,
                   fmt::format("--threads must be a whole number from 1 to {}; it is {}", machine.processors, threads));

    BuildFor with{exercise, *settings};
    with.compiler = arguments.compiler;
    with.threads = static_cast<int>(threads);
    with.cpu_seconds = 12 * arguments.seconds;
    if (on_device) with.device = device_for_times();
    const ScratchFolder folder;
    std::vector<Program> programs = bench_programs(what, arguments, with, folder.path());
    BenchReport report;
    report.exercise = exercise.id;
    report.title = settings->title;
    name_environment(with, arguments.compiler, report);
    report.processor = machine.processor;
    report.left_out = take_refused(programs);
    report.reference = "solution";
    if (!what.note.empty()) report.notes.push_back(what.note);
    for (const Bench& bench : exercise.benches)
        if (std::find(benches.begin(), benches.end(), &bench) == benches.end()) report.further.push_back(bench.id);
    if (!programs.empty()) {
        std::optional<BenchRun> run;
        if (with.device)
            run.emplace(exercise, std::move(programs), report.reference, static_cast<int>(threads),
                        data_sheet_floors(with.device->device.name));
        else
            run.emplace(exercise, std::move(programs), report.reference, static_cast<int>(threads));
        const bool watched = arguments.format == Format::terminal && isatty(STDERR_FILENO) == 1;
        for (const Bench* bench : benches) {
            if (watched) fmt::print(stderr, "Timing {} for about {:g} s ...", bench->id, arguments.seconds);
            report.cases.push_back(run->run(*bench, arguments.seconds, true));
            if (watched) fmt::print(stderr, "\r\x1b[K");
        }
        report.limits = run->limits();
        report.notes.insert(report.notes.end(), run->notes().begin(), run->notes().end());
    }
    print(arguments.format == Format::json ? bench_json(report)
                                           : bench_terminal(report, style_for(arguments.color, STDOUT_FILENO)));
    return exit_of(report);
}

} // namespace assay
