#include "python/build.hpp"

#include "attempt/build_cache.hpp"
#include "attempt/build_staging.hpp"
#include "catalogue/embedded.hpp"
#include "python/contract_json.hpp"
#include "python/contract_python.hpp"
#include "sandbox/confined.hpp"
#include "sandbox/run_folder.hpp"

#include <chrono>
#include <fmt/format.h>

namespace assay {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view runtime = "python/"; // of the embedded texts
constexpr std::size_t most_complaints = 64 << 10;
constexpr int faulty = 10; // exit code of runtime/build.py where the attempt does not compile

struct Given {
    std::string module, json; // the contract
};

std::string key_of(const Sources& sources, const Given& given, const Interpreter& interpreter) {
    ContentHash hash;
    hash.add("python 1").add(interpreter.identity).add(given.module).add(given.json);
    for (const StagedFile& file : sources.files) hash.add(file.name.native()).add(file.text);
    for (const EmbeddedFile& file : embedded_files())
        if (file.path.substr(0, runtime.size()) == runtime) hash.add(file.path).add(file.text);
    return hash.hex();
}

Outcome<Done> lay_stage(const fs::path& stage, const Sources& sources, const Given& given) {
    std::error_code error;
    for (const char* folder : {"attempt", "made"})
        if (!error) fs::create_directory(stage / folder, error);
    bool written = !error && write_sources(sources, stage / "attempt") &&
                   write_file(stage / "contract.py", given.module) && write_file(stage / "contract.json", given.json);
    for (const EmbeddedFile& file : embedded_files()) {
        if (!written || file.path.substr(0, runtime.size()) != runtime) continue;
        const fs::path path = stage / "runtime" / file.path.substr(runtime.size());
        fs::create_directories(path.parent_path(), error);
        written = !error && write_file(path, file.text);
    }
    if (written && open_to_all(stage)) return Done{};
    return Failure{Verdict::JE, fmt::format("{} cannot be written to: is the disk full?", stage.native()), {}};
}

Outcome<Done> compile(const fs::path& stage, const std::string& name, const Interpreter& interpreter,
                      const BuildOptions& options) {
    Command command{
        {interpreter.program.native(), "-I", "-S", "-B", "runtime/build.py", name}, clean_environment(), stage, {}, {}};
    command.limits.cpu_seconds = static_cast<double>(options.time_limit.count());
    command.limits.memory = options.memory_limit;
    Needs needs;
    needs.readable = interpreter.folders;
    needs.readable.push_back(interpreter.program);
    needs.readable.push_back(stage);
    needs.writable = {stage / "made"};
    needs.memory = options.memory_limit;
    const Outcome<Ended> ended = run(command, needs, *options.layers, 3 * options.time_limit, most_complaints);
    if (!ended) return ended.failure();
    if (ended->exited && ended->exit_code == 0 && !ended->timed_out) return Done{};
    if (ended->exited && ended->exit_code == faulty)
        return Failure{Verdict::CE, "it is not valid Python", ended->output};
    if (ended->exited && !ended->timed_out)
        return Failure{Verdict::JE, fmt::format("{} could not build {}", interpreter.version, name), ended->output};
    // Nesting without end, or a file that takes minutes.
    return Failure{Verdict::CE, fmt::format("{} could not compile {}: simplify it", interpreter.version, name),
                   fmt::format("{}: error: Python {} while it compiled this\n", name,
                               ended->timed_out ? "took too long" : "died")};
}

} // namespace

bool is_python(const fs::path& source) { return source.extension() == ".py"; }

Outcome<Built> build_python(const fs::path& source, const Contract& contract, const Interpreter& interpreter,
                            const BuildOptions& options) {
    const auto begun = std::chrono::steady_clock::now();
    const Given given{contract_module(contract), to_json(contract)};
    const Outcome<Sources> sources = collect_sources(source, given.module);
    if (!sources) return sources.failure();
    const Outcome<CacheRoot> root = cache_root(options.cache);
    if (!root) return root.failure();

    Built built;
    built.source_name = sources->attempt().name.native();
    ContentHash own;
    for (const StagedFile& file : sources->files) own.add(file.name.native()).add(file.text);
    built.source_hash = own.hex();
    built.notes = sources->notes;
    if (!root->note.empty()) built.notes.push_back(root->note);
    const fs::path folder = root->folder / "attempts";
    const std::string name = key_of(*sources, given, interpreter) + ".python";
    const auto stop_clock = [&] {
        built.milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
        return built;
    };
    if (const auto kept = find_kept(folder, name)) {
        built.library = *kept;
        built.cached = true;
        return stop_clock();
    }
    const Outcome<fs::path> staging = staging_root(root->folder / "stage", *options.layers);
    if (!staging) return staging.failure();
    const Outcome<TemporaryFolder> stage = TemporaryFolder::make(*staging);
    if (!stage) return stage.failure();
    if (const Outcome<Done> laid = lay_stage(stage->path(), *sources, given); !laid) return laid.failure();
    if (const Outcome<Done> done = compile(stage->path(), built.source_name, interpreter, options); !done)
        return done.failure();
    const auto kept = keep(folder, name, stage->path() / "made" / "bundle");
    if (!kept)
        return Failure{Verdict::JE, fmt::format("{} cannot be written to: is the disk full?", folder.native()), {}};
    built.library = *kept;
    prune_cache(root->folder);
    return stop_clock();
}

void start_in_python(WorkerSetup& setup, const Interpreter& interpreter, const Built& built) {
    setup.worker = interpreter.program;
    // -S: `site` runs what installed packages ask for, which takes 22 ms of CPU beside Python's own 6 where setuptools
    // is (1.5 ms where nothing is); the worker looks at site-packages when an import asks for them. Not -I, which would
    // have sets of texts in another order at every start.
    setup.options = {"-s", "-S", "-B", "-c",
                     "import marshal, sys; boot, bundle = marshal.load(open(sys.argv[1], 'rb')); exec(boot)"};
    setup.environment = {"PYTHONHASHSEED=0"};
    setup.library = built.library;
    setup.readable = interpreter.folders;
    setup.cpu_seconds *= python_allowance;
}

} // namespace assay
