// The way from source to shared object: collect, look up, stage, compile and link in one call, keep.
#include "attempt/build.hpp"

#include "attempt/build_cache.hpp"
#include "attempt/build_cuda.hpp"
#include "attempt/build_device.hpp"
#include "attempt/build_diagnostics.hpp"
#include "attempt/build_flags.hpp"
#include "attempt/build_precompiled.hpp"
#include "attempt/build_staging.hpp"
#include "attempt/source_scan.hpp"
#include "sandbox/cgroup.hpp"
#include "sandbox/run_folder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <utility>

namespace assay {

namespace fs = std::filesystem;

namespace {

Failure broken_installation(const fs::path& path) {
    return {Verdict::JE, fmt::format("{} cannot be read: Assay's installation is incomplete", path.native()), {}};
}

/// Adds every light header (assay/*.hpp) to the hash. False where there are none.
bool add_headers(ContentHash& hash, const fs::path& headers) {
    std::vector<fs::path> names;
    std::error_code error;
    for (fs::directory_iterator at(headers / "assay", error), end; !error && at != end; at.increment(error))
        names.push_back(at->path().filename());
    std::sort(names.begin(), names.end());
    for (const fs::path& name : names) {
        const auto text = read_file(headers / "assay" / name);
        if (text) hash.add(name.native()).add(*text);
    }
    return !names.empty();
}

std::string hash_of(const Sources& sources) {
    ContentHash hash;
    for (const StagedFile& file : sources.files) hash.add(file.name.native()).add(file.text);
    return hash.hex();
}

/// What the processor can do, as the kernel lists it.
std::string processor_features() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);)
        if (line.rfind("flags", 0) == 0 || line.rfind("Features", 0) == 0 || line.rfind("isa", 0) == 0) return line;
    return "";
}

/// The name under which the library is kept: everything that decides its content.
Outcome<std::string> key_of(const std::string& sources, const std::string& contract, const BuildInputs& inputs,
                            const Toolchain& toolchain, bool sanitise) {
    ContentHash hash;
    hash.add("attempt 1").add(sources).add(contract).add(toolchain.identity).add(inputs.headers.native());
    if (!add_headers(hash, inputs.headers)) return broken_installation(inputs.headers / "assay");
    if (!inputs.cuda.empty() && !add_cuda_headers(hash.add("cuda"), inputs.cuda))
        return broken_installation(inputs.cuda);
    if (inputs.device) {
        if (const Outcome<Done> added = add_device_build(hash, inputs); !added) return added.failure();
    } else {
        const auto entry = read_file(inputs.entry_object);
        if (!entry) return broken_installation(inputs.entry_object);
        hash.add(*entry);
    }
    for (const std::string& flag : code_flags(inputs, toolchain, sanitise)) hash.add(flag);
    for (const std::string& library : inputs.libraries) hash.add("-l" + library);
    // What `native` means is this processor's affair, and caches are carried from machine to machine.
    if (std::find(inputs.flags.begin(), inputs.flags.end(), "-march=native") != inputs.flags.end())
        hash.add(processor_features());
    return hash.hex();
}

/// The sources as they are, which the compiler quotes; of CUDA, what it compiles lies beside them.
Outcome<Done> lay_stage(const Stage& stage, const Sources& sources, const BuildInputs& inputs,
                        const std::string& contract) {
    if (!inputs.cuda.empty()) {
        const Outcome<Sources> rewritten = rewritten_for_emulation(sources);
        if (!rewritten) return rewritten.failure();
        if (!write_sources(*rewritten, stage.rewritten()))
            return Failure{
                Verdict::JE, fmt::format("{} cannot be written to: is the disk full?", stage.folder.native()), {}};
    }
    std::error_code error;
    for (const fs::path& folder : {stage.attempt(), stage.contract(), stage.temporary(), stage.made()})
        if (!error) fs::create_directory(folder, error);
    if (error || !write_file(stage.contract() / inputs.contract_name(), contract) ||
        !write_sources(sources, stage.attempt()) || (inputs.device && !lay_device_sources(stage, inputs)) ||
        !open_to_all(stage.folder))
        return Failure{
            Verdict::JE, fmt::format("{} cannot be written to: is the disk full?", stage.folder.native()), {}};
    return Done{};
}

bool succeeded(const Ended& ended) { return !ended.timed_out && ended.exited && ended.exit_code == 0; }

PrecompiledRecipe recipe_for(const Sources& sources, const std::string& contract, const BuildInputs& inputs,
                             const Toolchain& toolchain, const BuildOptions& options, const fs::path& cache) {
    PrecompiledRecipe recipe{cache, {}, code_flags(inputs, toolchain, options.sanitise), toolchain};
    if (!options.use_precompiled || options.sanitise || inputs.device) return recipe;
    if (!inputs.cuda.empty()) {
        recipe.headers = leading_headers(sources, contract, inputs.headers, inputs.cuda);
        recipe.folders = header_folders(inputs);
        ContentHash hash;
        add_headers(hash, inputs.headers);
        add_cuda_headers(hash, inputs.cuda);
        recipe.content = hash.hex();
        return recipe;
    }
    recipe.headers = leading_standard_headers(sources.attempt().text, beside_in(sources));
    std::sort(recipe.headers.begin(), recipe.headers.end()); // their order means nothing, and the same list serves more
    return recipe;
}

/// Compiles and links on the stage, with the precompiled header where there is one.
Outcome<Done> compile(const Stage& stage, const Sources& sources, const std::string& contract,
                      const BuildInputs& inputs, const Toolchain& toolchain, const BuildOptions& options,
                      const fs::path& cache) {
    const PrecompiledRecipe recipe = recipe_for(sources, contract, inputs, toolchain, options, cache);
    const std::string name = compiler_name(sources.attempt().name);
    const auto attempt = [&](const PrecompiledUse& precompiled, const std::string& file) {
        const Command command = inputs.device
                                    ? device_command(stage, file, inputs, toolchain, options)
                                    : compile_command(stage, file, inputs, toolchain, options, precompiled.arguments);
        Outcome<Ended> ended = run(command, compile_needs(stage, inputs, toolchain, options, precompiled.files),
                                   *options.layers, wall_limit(options), most_diagnostics);
        if (ended && inputs.device) ended->output = as_other_compilers(ended->output);
        return ended;
    };
    const PrecompiledRecipe nearest = nearest_precompiled(recipe);
    const PrecompiledUse precompiled = use_precompiled(nearest);
    if (options.make_precompiled && (precompiled.arguments.empty() || nearest.headers != recipe.headers))
        make_precompiled_later(recipe); // goes on beside the compile
    const std::string compiled = inputs.cuda.empty() ? name : "../rewritten/" + sources.attempt().name.native();
    Outcome<Ended> ended = attempt(precompiled, compiled);
    // Judged by its own headers alone: a precompiled header must never be why an attempt fails, nor show in its errors.
    if (!precompiled.arguments.empty() && ended && !succeeded(*ended) && !ended->timed_out) {
        ended = attempt({}, compiled);
        if (ended && succeeded(*ended)) discard_precompiled(nearest);
    }
    if (!ended) return ended.failure();
    if (succeeded(*ended)) return Done{};
    Failure failure = compile_failure(*ended, name, stage, inputs, options, sources.notes);
    if (failure.verdict != Verdict::JE) return failure;
    // An attempt decides what the compiler prints (its assembler code can have any line printed): only where an empty
    // source fails as well is the toolchain at fault.
    if (!write_file(stage.contract() / "empty.cpp", "\n")) return failure;
    if (const Outcome<Ended> empty = attempt({}, "../contract/empty.cpp"); empty && succeeded(*empty))
        return Failure{Verdict::CE, "it does not compile: the compiler stopped, and said why below", failure.detail};
    return failure;
}

} // namespace

Outcome<Built> build(const fs::path& source, const BuildInputs& inputs, const Toolchain& toolchain,
                     const BuildOptions& options) {
    const auto begun = std::chrono::steady_clock::now();
    collect_finished_precompiled();
    const auto contract = read_file(inputs.contract / inputs.contract_name());
    if (!contract) return broken_installation(inputs.contract / inputs.contract_name());
    Outcome<Sources> sources = collect_sources(source, *contract);
    if (!sources) return sources.failure();
    const Outcome<CacheRoot> root = cache_root(options.cache);
    if (!root) return root.failure();

    Built built;
    built.toolchain = toolchain;
    built.source_name = sources->attempt().name.native();
    built.source_hash = hash_of(*sources);
    built.notes = sources->notes;
    if (!root->note.empty()) built.notes.push_back(root->note);
    if (options.sanitise) {
        Outcome<fs::path> runtime = sanitiser_runtime(toolchain);
        if (!runtime) return runtime.failure();
        built.preload = *runtime;
        built.symboliser = symboliser(toolchain);
    }
    const Outcome<std::string> key = key_of(built.source_hash, *contract, inputs, toolchain, options.sanitise);
    if (!key) return key.failure();
    const fs::path folder = root->folder / "attempts";
    const std::string kept_name = *key + ".so";
    const auto stop_clock = [&] {
        built.milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
        return built;
    };
    if (const auto kept = find_kept(folder, kept_name)) {
        built.library = *kept;
        built.cached = true;
        return stop_clock();
    }

    const Outcome<fs::path> staging = staging_root(root->folder / "stage", *options.layers);
    if (!staging) return staging.failure();
    const Outcome<TemporaryFolder> own = TemporaryFolder::make(*staging);
    if (!own) return own.failure();
    const Stage stage{own->path()};
    const Outcome<Done> laid = lay_stage(stage, *sources, inputs, *contract);
    if (!laid) return laid.failure();
    const Outcome<Done> compiled = compile(stage, *sources, *contract, inputs, toolchain, options, root->folder);
    if (!compiled) return compiled.failure();
    const auto kept = keep(folder, kept_name, stage.library());
    if (!kept)
        return Failure{
            Verdict::JE,
            fmt::format("what the compiler made could not be kept in {}: is the disk full?", folder.native()),
            {}};
    built.library = *kept;
    prune_cache(root->folder);
    return stop_clock();
}

Outcome<std::string> source_hash_of(const fs::path& source) {
    const Outcome<Sources> sources = collect_sources(source, ""); // the contract matters to notes alone
    if (!sources) return sources.failure();
    return hash_of(*sources);
}

void precompile_for(const std::vector<fs::path>& sources, const BuildInputs& inputs, const Toolchain& toolchain,
                    const BuildOptions& options) {
    // Making one costs about three times what a compile gains by it (0.9 s and 0.3 s, g++ 12), and ten times what it
    // gains over a shorter one.
    constexpr long enough = 4, many = 16;
    const auto contract = read_file(inputs.contract / inputs.contract_name());
    const Outcome<CacheRoot> root = cache_root(options.cache);
    if (!contract || !root) return;
    std::vector<PrecompiledRecipe> wanted; // one a source
    for (const fs::path& source : sources) {
        const Outcome<Sources> collected = collect_sources(source, *contract);
        if (!collected) continue;
        const PrecompiledRecipe recipe = recipe_for(*collected, *contract, inputs, toolchain, options, root->folder);
        const Outcome<std::string> key = key_of(hash_of(*collected), *contract, inputs, toolchain, options.sanitise);
        if (recipe.headers.empty() || !key || find_kept(root->folder / "attempts", *key + ".so")) continue;
        wanted.push_back(recipe);
    }
    // The lists of most attempts first: what a few attempts include beyond them is parsed.
    std::map<std::vector<std::string>, long> users;
    for (const PrecompiledRecipe& one : wanted) ++users[one.headers];
    std::vector<PrecompiledRecipe> lists = wanted;
    std::stable_sort(lists.begin(), lists.end(), [&](const auto& a, const auto& b) {
        return std::pair(users[a.headers], a.headers.size()) > std::pair(users[b.headers], b.headers.size());
    });
    for (const PrecompiledRecipe& list : lists) {
        const auto served = [&](const PrecompiledRecipe& one) { return serves(list.headers, one); };
        if (std::count_if(wanted.begin(), wanted.end(), served) < enough) continue;
        share_precompiled(list);
        std::erase_if(wanted, [&](const PrecompiledRecipe& one) {
            return served(one) && (one.headers == list.headers || users[one.headers] < many);
        });
    }
}

void finish_background_builds() {
    wait_for_precompiled();
    remove_temporary_cache();
    remove_run_folder();
    remove_cgroups();
}

} // namespace assay
