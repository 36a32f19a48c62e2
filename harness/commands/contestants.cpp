#include "commands/contestants.hpp"

#include "attempt/build.hpp"
#include "attempt/build_cuda.hpp"
#include "catalogue/embedded.hpp"
#include "catalogue/files.hpp"
#include "commands/build_inputs.hpp"
#include "commands/stop.hpp"
#include "python/build.hpp"
#include "python/contract_python.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sys/random.h>

namespace fs = std::filesystem;

namespace assay {

WorkerContestant::WorkerContestant(const Exercise& exercise, const Level& level, const WorkerSetup& setup)
    : level_(level), attempt_(exercise, setup) {}

Outcome<Answer> WorkerContestant::ask(const Problem& problem) { return attempt_.answer(level_, problem); }
Outcome<double> WorkerContestant::empty_call() { return attempt_.empty_call(); }
Outcome<std::int64_t> WorkerContestant::peak_bytes(const Problem& problem) {
    return attempt_.peak_bytes(level_, problem);
}

std::uint64_t drawn_secret() {
    std::uint64_t secret = 0;
    if (::getrandom(&secret, sizeof secret, 0) != static_cast<ssize_t>(sizeof secret))
        throw Stop(Exit::environment, "the system gives no random numbers (getrandom): times need inputs that nobody "
                                      "knows beforehand");
    return secret;
}

const Level* level_that_asks(const Exercise& exercise, const Problem& problem) {
    const std::string id = exercise.level_of ? exercise.level_of(problem) : "";
    for (const Level& level : exercise.levels)
        if (level.id == id) return &level;
    return nullptr;
}

namespace {

/// Fills in how the build ended. False where it failed.
bool enter(const Outcome<Built>& built, Program& program) {
    if (built) {
        program.source_hash = built->source_hash;
        return true;
    }
    program.refused = built.failure().verdict == Verdict::CE ? "it does not compile" : built.failure().reason;
    program.diagnostics = built.failure().detail;
    return false;
}

Program for_device(Program program, const fs::path& source, BuildOptions options, const BuildFor& with) {
    if (!with.device)
        throw Stop(Exit::environment, fmt::format("{} cannot be timed: {}; --device cuda times it on one",
                                                  printable(source.filename().native()), untimed_emulation));
    options.time_limit *= 4; // nvcc compiles twice, for the host and for the device
    const Translator translator = find_translator(source, with.compiler);
    const Outcome<Built> built =
        build(source, build_inputs(with.exercise.id, with.settings, source, with.device->compiler),
              translator.toolchain, options);
    if (!enter(built, program)) return program;
    program.on_device = true;
    program.setup = worker_setup(with.exercise.id, with.settings, *built);
    program.setup.layers = with.layers;
    program.setup.cpu_seconds = std::max(program.setup.cpu_seconds, with.cpu_seconds);
    program.setup.timed = true;
    open_device(program.setup, *with.device);
    return program;
}

} // namespace

Program make_program(const std::string& name, const fs::path& source, const BuildFor& with) {
    Program program;
    program.name = name;
    BuildOptions options;
    options.cache = cache_folder();
    options.layers = with.layers;
    options.use_precompiled = options.make_precompiled = false; // they are kept for other flags
    if (is_cuda(source)) return for_device(std::move(program), source, options, with);
    const Translator translator = find_translator(source, with.compiler);
    BuildInputs inputs = build_inputs(with.exercise.id, with.settings);
    if (name == "fast") {
        options.time_limit *= 6; // ours, for several instruction sets: 15 s of CPU time, more where that is slow
        const std::vector<std::string> eigen = eigen_flags();
        inputs.flags = with.settings.fast.flags;
        inputs.flags.insert(inputs.flags.end(), eigen.begin(), eigen.end());
        inputs.libraries = with.settings.fast.libraries;
    }
    inputs.flags.emplace_back("-march=native");
    const Outcome<Built> built = translator.python
                                     ? build_python(source, contract_of(with.exercise.id), *translator.python, options)
                                     : build(source, inputs, translator.toolchain, options);
    if (!enter(built, program)) return program;
    program.setup = worker_setup(with.exercise.id, with.settings, *built);
    program.setup.layers = with.layers;
    program.setup.cpu_seconds = std::max(program.setup.cpu_seconds, with.cpu_seconds);
    if (with.threads > 0) program.setup.threads = with.threads;
    if (translator.python) start_in_python(program.setup, *translator.python, *built);
    return program;
}

std::optional<fs::path> lay_own(const Exercise& exercise, std::string_view name, const fs::path& folder,
                                std::string_view extension) {
    const auto text_of = [&](std::string_view from) {
        return embedded(fmt::format("solutions/{}/{}{}", exercise.id, from, extension));
    };
    // A model answer is written to be read, one row at a time. What attempts are set beside is readable and does not
    // waste what everybody's compiler can give; where nobody wrote one, it is the model answer.
    auto text = text_of(name == "naive" ? "bench/naive" : name == "solution" ? "bench/readable" : name);
    if (!text && name == "solution") text = text_of(name);
    if (!text) return std::nullopt;
    const auto lay = [](const fs::path& to, std::string_view content) {
        if (const std::string failed = write_text(to, content); !failed.empty()) throw Stop(Exit::environment, failed);
    };
    const fs::path to = folder / fmt::format("{}{}", name, extension);
    lay(to, *text);
    const std::string beside = fmt::format("solutions/{}/{}/", exercise.id, name); // its headers
    for (const EmbeddedFile& file : embedded_files())
        if (file.path.substr(0, beside.size()) == beside)
            lay(folder / name / fs::path(file.path.substr(beside.size())), file.text);
    return to;
}

} // namespace assay
