#include "commands/bench.hpp"

#include "catalogue/settings.hpp"
#include "catalogue/state.hpp"
#include "commands/bench_run.hpp"
#include "commands/build_inputs.hpp"
#include "commands/find_attempt.hpp"
#include "commands/isolation.hpp"
#include "commands/print.hpp"
#include "core/registry.hpp"
#include "report/bench.hpp"
#include "report/text.hpp"
#include "roofline/machine.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace assay {

namespace {

/// The exercise, and the attempt where there is one: an exercise can be timed by what it brings itself.
struct Wanted {
    std::string exercise;
    std::optional<fs::path> attempt;
    std::string note;
};

Wanted wanted(const BenchArguments& arguments, const State& state) {
    if (!arguments.file.empty()) {
        require_exercise(arguments.target);
        return {arguments.target, find_attempt(arguments.file, arguments.target, here(), state).source, ""};
    }
    if (find_exercise(arguments.target) == nullptr) {
        const FoundAttempt found = find_attempt(arguments.target, "", here(), state);
        return {found.exercise, found.source, ""};
    }
    try {
        const FoundAttempt found = find_attempt(arguments.target, "", here(), state);
        return {found.exercise, found.source, ""};
    } catch (const Stop& none) {
        if (none.exit() != Exit::usage) throw;
        return {arguments.target, std::nullopt, "no attempt of yours takes part: name its file to time it"};
    }
}

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

std::string free_name(const std::vector<Program>& programs, const fs::path& file) {
    const std::string name = printable(file.filename().native());
    std::string free = name;
    for (int i = 2; std::any_of(programs.begin(), programs.end(), [&](const Program& p) { return p.name == free; });
         ++i)
        free = fmt::format("{} ({})", name, i);
    return free;
}

/// The attempt first: it is the one whose twin is the control.
std::vector<Program> programs_of(const Wanted& what, const BenchArguments& arguments, const BuildFor& with,
                                 const fs::path& folder) {
    std::vector<Program> programs;
    if (what.attempt) programs.push_back(make_program("attempt", *what.attempt, with));
    for (const char* name : {"solution", "naive", "fast"})
        if (const auto source = lay_own(with.exercise, name, folder); source)
            programs.push_back(make_program(name, *source, with));
    for (const std::string& other : arguments.others) {
        const fs::path file = here() / other;
        programs.push_back(make_program(free_name(programs, file), file, with));
    }
    return programs;
}

/// What names no program that could run is wrong usage; what does not compile is told beside the others' figures.
std::vector<BenchReport::LeftOut> take_refused(std::vector<Program>& programs) {
    std::vector<BenchReport::LeftOut> left;
    for (const Program& program : programs) {
        if (program.refused.empty()) continue;
        if (program.diagnostics.empty() && program.name != "fast") throw Stop(Exit::usage, program.refused);
        left.push_back({program.name, program.refused, program.diagnostics});
    }
    std::erase_if(programs, [](const Program& program) { return !program.refused.empty(); });
    return left;
}

bool own(const std::string& name) { return name == "solution" || name == "naive" || name == "fast"; }

Exit exit_of(const BenchReport& report) {
    for (const BenchReport::LeftOut& one : report.left_out)
        if (!own(one.name)) return Exit::falls_short;
    for (const BenchReport::Case& one : report.cases)
        for (const BenchReport::Contestant& each : one.contestants)
            if (each.timing.disqualified) return own(each.timing.name) ? Exit::fault : Exit::falls_short;
    return Exit::passed;
}

} // namespace

Exit bench_command(const BenchArguments& arguments) {
    require_isolation(arguments.isolation);
    if (!(arguments.seconds >= 0.1 && arguments.seconds <= 3600))
        throw Stop(Exit::usage,
                   fmt::format("--seconds must be a number from 0.1 to 3600; it is {:g}", arguments.seconds));
    std::string note;
    const State state = read_state(state_file(), note);
    print_note(note);
    const Wanted what = wanted(arguments, state);
    const Outcome<Settings> settings = settings_of(what.exercise);
    if (!settings) throw Stop(Exit::fault, settings.failure().reason);
    const Exercise& exercise = *find_exercise(what.exercise);
    const std::vector<const Bench*> benches = benches_of(exercise, arguments);
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
    const ScratchFolder folder;
    std::vector<Program> programs = programs_of(what, arguments, with, folder.path());
    BenchReport report;
    report.exercise = exercise.id;
    report.title = settings->title;
    report.environment = environment_of(layers_here());
    name_translator(find_translator("solution.cpp", arguments.compiler), *settings, report.environment);
    report.environment.flags += " -march=native";
    report.processor = machine.processor;
    report.left_out = take_refused(programs);
    report.reference = "solution";
    if (!what.note.empty()) report.notes.push_back(what.note);
    for (const Bench& bench : exercise.benches)
        if (std::find(benches.begin(), benches.end(), &bench) == benches.end()) report.further.push_back(bench.id);
    if (!programs.empty()) {
        BenchRun run(exercise, std::move(programs), report.reference, static_cast<int>(threads));
        const bool watched = arguments.format == Format::terminal && isatty(STDERR_FILENO) == 1;
        for (const Bench* bench : benches) {
            if (watched) fmt::print(stderr, "Timing {} for about {:g} s ...", bench->id, arguments.seconds);
            report.cases.push_back(run.run(*bench, arguments.seconds, true));
            if (watched) fmt::print(stderr, "\r\x1b[K");
        }
        report.limits = run.limits();
        report.notes.insert(report.notes.end(), run.notes().begin(), run.notes().end());
    }
    print(arguments.format == Format::json ? bench_json(report)
                                           : bench_terminal(report, style_for(arguments.color, STDOUT_FILENO)));
    return exit_of(report);
}

} // namespace assay
