// Which flags an attempt is built with beside those of its exercise, and why.
#include "attempt/build_flags.hpp"

#include "attempt/build_cache.hpp"
#include "attempt/toolchain_probe.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sys/utsname.h>

namespace assay {

namespace fs = std::filesystem;

std::vector<std::string> code_flags(const BuildInputs& inputs, const Toolchain& toolchain, bool sanitise) {
    std::vector<std::string> flags = inputs.flags;
    flags.emplace_back("-fPIC");
    // Without it g++ may inline nothing that is not static, as if an attempt's helpers could be replaced at load time.
    if (toolchain.family == Toolchain::Family::gcc) flags.emplace_back("-fno-semantic-interposition");
    if (sanitise)
        // Undefined behaviour is reported and gone on from: what it leads to is reported as well. Object sizes are left
        // to AddressSanitizer, which says the same and where the block comes from.
        for (const char* flag :
             {"-O1", "-g", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-fsanitize=address,undefined",
              "-fno-sanitize=object-size", "-fsanitize-recover=undefined"})
            flags.emplace_back(flag);
    // A call before every access, to functions of the emulation's own: no library of the sanitiser's is linked.
    if (!sanitise && !inputs.cuda.empty()) {
        flags.emplace_back("-fsanitize=thread");
        if (toolchain.family == Toolchain::Family::gcc)
            flags.insert(flags.end(), {"--param", "tsan-instrument-func-entry-exit=0"});
    }
    // Where __shared__ variables lie, and dynamic shared memory is an array of no known length.
    if (sanitise && !inputs.cuda.empty()) {
        flags.emplace_back("-fno-sanitize=bounds");
        if (toolchain.family == Toolchain::Family::gcc) flags.emplace_back("-fsanitize-sections=assay_shared");
    }
    return flags;
}

std::vector<std::string> header_folders(const BuildInputs& inputs) {
    std::vector<std::string> folders = {"-I" + fs::absolute(inputs.headers).native()};
    if (!inputs.cuda.empty()) folders.push_back("-isystem" + fs::absolute(inputs.cuda).native());
    return folders;
}

Command compile_command(const Stage& stage, const std::string& name, const BuildInputs& inputs,
                        const Toolchain& toolchain, const BuildOptions& options,
                        const std::vector<std::string>& precompiled) {
    Command command;
    std::vector<std::string>& all = command.arguments;
    const auto add = [&all](const std::vector<std::string>& more) { all.insert(all.end(), more.begin(), more.end()); };
    add(driver(toolchain));
    add(code_flags(inputs, toolchain, options.sanitise));
    add({options.colour ? "-fdiagnostics-color=always" : "-fdiagnostics-color=never", "-pipe", "-I../contract",
         "-shared", "-Wl,-z,defs"});
    add(header_folders(inputs));
    // One missing brace can cause thousands; after so many nobody reads on.
    add({toolchain.family == Toolchain::Family::gcc ? "-fmax-errors=50" : "-ferror-limit=50"});
    add(linker_flags(toolchain));
    const bool link_time =
        std::any_of(all.begin(), all.end(), [](const std::string& flag) { return flag.substr(0, 5) == "-flto"; });
    // The plugin only matters for link-time optimisation; loading it costs 5 ms.
    if (toolchain.family == Toolchain::Family::gcc && !link_time) add({"-fno-use-linker-plugin"});
    if (options.sanitise) {
        // Reports then say "sdpa.cpp:31" rather than a folder that is gone.
        add({"-ffile-prefix-map=" + stage.attempt().native() + "=."});
        if (toolchain.family == Toolchain::Family::clang) add({"-shared-libasan"});
    }
    add(precompiled);
    add({"-x", "c++", name, "-x", "none", fs::absolute(inputs.entry_object).native(), "-o", stage.library().native()});
    for (const std::string& library : inputs.libraries) add({"-l" + library});
    if (!inputs.cuda.empty() && !options.sanitise && toolchain.family == Toolchain::Family::gcc) {
        const bool threads = std::find(all.begin(), all.end(), "-fopenmp") != all.end();
        add({"-nodefaultlibs", "-lstdc++", "-lm", threads ? "-lgomp" : "-lm", "-lgcc_s", "-lgcc", "-lc"});
    }

    command.environment = clean_environment();
    for (std::string& entry : command.environment)
        if (entry.substr(0, 7) == "TMPDIR=")
            entry = "TMPDIR=" + stage.temporary().native();
        else if (entry.substr(0, 5) == "HOME=")
            entry = "HOME=/"; // no diagnostic tells ours
    command.folder = stage.attempt();
    command.limits.cpu_seconds = static_cast<double>(options.time_limit.count());
    command.limits.memory = options.memory_limit;
    command.limits.file_bytes = std::uint64_t{256} << 20;
    return command;
}

Needs compile_needs(const Stage& stage, const BuildInputs& inputs, const Toolchain& toolchain,
                    const BuildOptions& options, const std::vector<fs::path>& precompiled) {
    Needs needs;
    needs.compiler = toolchain.compiler;
    if (inputs.device) needs.starter = inputs.device->nvcc;
    needs.readable = {stage.attempt(), stage.contract(), fs::absolute(inputs.headers)};
    if (!inputs.device) needs.readable.push_back(fs::absolute(inputs.entry_object));
    if (!inputs.cuda.empty())
        needs.readable.insert(needs.readable.end(), {stage.rewritten(), fs::absolute(inputs.cuda)});
    for (const std::string& flag : inputs.flags)
        for (const std::string_view option : {"-isystem", "-I"})
            if (flag.compare(0, option.size(), option) == 0 && flag.size() > option.size())
                needs.readable.emplace_back(flag.substr(option.size()));
    for (const std::vector<fs::path>& more : {precompiled, linker_files(toolchain)})
        needs.readable.insert(needs.readable.end(), more.begin(), more.end());
    needs.writable = {stage.temporary(), stage.made()};
    needs.memory = options.memory_limit;
    needs.processes = 512; // threads count, and a linker may start one a core
    needs.temporary = 0;
    return needs;
}

fs::path symboliser(const Toolchain& toolchain) {
    if (toolchain.family == Toolchain::Family::gcc) return {};
    if (const auto found = find_program("llvm-symbolizer")) return *found;
    const fs::path beside = toolchain.compiler.parent_path() / "llvm-symbolizer";
    std::error_code error;
    return fs::exists(beside, error) ? beside : fs::path();
}

namespace {

/// A linker script in the library's place (Fedora) names it.
fs::path followed(const fs::path& path) {
    const auto text = read_file(path, 4096);
    if (!text || text->substr(0, 4) == "\x7f"
                                       "ELF")
        return path;
    const std::size_t start = text->find(" /");
    if (start == std::string::npos) return path;
    return text->substr(start + 1, text->find_first_of(" )\n", start + 1) - start - 1);
}

} // namespace

Outcome<fs::path> sanitiser_runtime(const Toolchain& toolchain) {
    utsname system{};
    ::uname(&system);
    const bool gcc = toolchain.family == Toolchain::Family::gcc;
    const std::vector<std::string> names =
        gcc ? std::vector<std::string>{"libasan.so"}
            : std::vector<std::string>{fmt::format("libclang_rt.asan-{}.so", system.machine), "libclang_rt.asan.so"};
    for (const std::string& name : names) {
        Command command{driver(toolchain), clean_environment(), "/", {}, {}};
        command.arguments.push_back("-print-file-name=" + name);
        const Outcome<Ended> ended = run(command, std::chrono::seconds(20));
        if (!ended) return ended.failure();
        const std::string line = ended->output.substr(0, ended->output.find('\n'));
        std::error_code error;
        // The name alone is the answer where there is no such file.
        if (line.empty() || line[0] != '/') continue;
        const fs::path path = fs::canonical(followed(line), error);
        if (!error) return path;
    }
    return Failure{Verdict::SKIP,
                   fmt::format("{} has no AddressSanitizer library: install it with: sudo apt install {}",
                               toolchain.version, gcc ? "libasan8" : "libclang-rt-dev"),
                   {}};
}

} // namespace assay
