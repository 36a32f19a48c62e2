// Probing a compiler: version, the files it stands on, and a trial link with each fast linker.
#include "attempt/toolchain_probe.hpp"

#include "attempt/build_cache.hpp"
#include "sandbox/process.hpp"

#include <fmt/format.h>
#include <sstream>
#include <sys/stat.h>

namespace assay {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kept_format = "assay toolchain 1";
constexpr std::string_view linkers[] = {"mold", "lld"};

/// Standard output and error of the compiler with these arguments; nothing where it failed.
std::optional<std::string> ask(const Toolchain& toolchain, const std::vector<std::string>& arguments) {
    Command command{driver(toolchain), clean_environment(), "/", {}, {}};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    const Outcome<Ended> ended = run(command, std::chrono::seconds(20));
    if (!ended || ended->timed_out || !ended->exited || ended->exit_code != 0) return std::nullopt;
    return ended->output;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Path, size and time of a file: "absent" where there is none, so that its coming changes the stamp.
std::string stamp(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return fmt::format("absent {}", path.native());
    return fmt::format("{} {}.{:09} {}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, path.native());
}

/// Where the fast linkers are now.
std::string linkers_on_path() {
    std::string found;
    for (const std::string_view name : linkers) {
        const auto path = find_program(fmt::format("ld.{}", name));
        found += fmt::format("{}={} ", name, path ? stamp(*path) : "none");
    }
    return found;
}

/// The files that an attempt's code depends on beside its own sources: when one changes, nothing kept may be used.
std::vector<fs::path> stands_on(const Toolchain& toolchain) {
    std::vector<fs::path> files{toolchain.compiler};
    for (const char* question : {"-print-prog-name=cc1plus", "-print-file-name=libstdc++.so"}) {
        const auto answer = ask(toolchain, {question});
        std::error_code error;
        if (!answer || first_line(*answer).empty() || first_line(*answer)[0] != '/') continue;
        const fs::path path = fs::canonical(first_line(*answer), error);
        if (!error) files.push_back(path);
    }
    files.emplace_back("/usr/include/features.h"); // holds glibc's version
    return files;
}

struct Kept {
    Toolchain toolchain;
    std::string linkers;
    std::vector<std::string> stamps;
};

std::string written(const Kept& kept) {
    std::string text = fmt::format("{}\n{}\n{}\n{}\n{}\n", kept_format,
                                   kept.toolchain.family == Toolchain::Family::gcc ? "gcc" : "clang",
                                   kept.toolchain.version, kept.toolchain.linker, kept.linkers);
    for (const std::string& line : kept.stamps) text += line + "\n";
    return text;
}

/// The kept answer, where all that it stands on is as it was.
std::optional<Toolchain> recall(const fs::path& file, const fs::path& compiler) {
    const auto text = read_file(file, 1 << 16);
    if (!text) return std::nullopt;
    std::istringstream lines(*text);
    std::string format, family, line;
    Kept kept;
    std::getline(lines, format);
    std::getline(lines, family);
    std::getline(lines, kept.toolchain.version);
    std::getline(lines, kept.toolchain.linker);
    std::getline(lines, kept.linkers);
    while (std::getline(lines, line)) kept.stamps.push_back(line);
    if (format != kept_format || (family != "gcc" && family != "clang") || kept.stamps.empty()) return std::nullopt;
    if (kept.linkers != linkers_on_path() || kept.stamps[0] != stamp(compiler)) return std::nullopt;
    for (const std::string& known : kept.stamps) {
        const std::size_t slash = known.find(" /");
        if (slash == std::string::npos || stamp(known.substr(slash + 1)) != known) return std::nullopt;
    }
    kept.toolchain.family = family == "gcc" ? Toolchain::Family::gcc : Toolchain::Family::clang;
    kept.toolchain.compiler = compiler;
    kept.toolchain.identity = ContentHash().add(*text).hex();
    return kept.toolchain;
}

/// Family and version from what `--version` prints.
bool introduce(Toolchain& toolchain) {
    const auto banner = ask(toolchain, {"--version"});
    if (!banner) return false;
    const std::size_t clang = banner->find("clang version ");
    if (clang != std::string::npos) {
        toolchain.family = Toolchain::Family::clang;
        const std::string rest = banner->substr(clang + 14);
        toolchain.version = "clang++ " + rest.substr(0, rest.find_first_not_of("0123456789."));
        return true;
    }
    if (banner->find("Free Software Foundation") == std::string::npos) return false;
    const auto number = ask(toolchain, {"-dumpfullversion"});
    toolchain.family = Toolchain::Family::gcc;
    toolchain.version = "g++ " + (number ? first_line(*number) : std::string("?"));
    return true;
}

/// Compiles and links a library that needs the standard headers and library, as attempts do. "" or what went wrong.
std::string trial(const Toolchain& toolchain, const fs::path& folder) {
    Command command{driver(toolchain), clean_environment(), folder, {}, {}};
    for (const char* argument : {"-std=c++20", "-O2", "-fPIC", "-shared", "-Wl,-z,defs", "trial.cpp", "-o", "trial.so"})
        command.arguments.emplace_back(argument);
    for (const std::string& flag : linker_flags(toolchain)) command.arguments.push_back(flag);
    const Outcome<Ended> ended = run(command, std::chrono::seconds(60));
    if (!ended) return ended.failure().reason;
    if (ended->timed_out) return "it took longer than a minute";
    if (!ended->exited || ended->exit_code != 0)
        return ended->output.empty() ? std::string("it ended without a word") : ended->output;
    return {};
}

} // namespace

std::vector<std::string> driver(const Toolchain& toolchain) {
    std::vector<std::string> arguments{toolchain.compiler.native()};
    // clang++ is a link to clang, and which of them is meant is told by the name alone.
    if (toolchain.family == Toolchain::Family::clang) arguments.emplace_back("--driver-mode=g++");
    return arguments;
}

std::vector<std::string> linker_flags(const Toolchain& toolchain) {
    if (toolchain.linker.empty()) return {};
    // mold would hand its work to a child of its own, which nobody reaps in a container without an init.
    if (toolchain.linker == "mold") return {"-fuse-ld=mold", "-Wl,--no-fork"};
    return {"-fuse-ld=" + toolchain.linker};
}

Outcome<Toolchain> known_or_probed(const fs::path& compiler, const fs::path& cache) {
    const Outcome<CacheRoot> root = cache_root(cache);
    if (!root) return root.failure();
    const fs::path folder = root->folder / "toolchains";
    const fs::path file = folder / ContentHash().add(compiler.native()).hex();
    if (auto known = recall(file, compiler)) return *known;

    Toolchain toolchain;
    toolchain.compiler = compiler;
    if (!introduce(toolchain))
        return Failure{
            Verdict::SKIP,
            fmt::format("{} is neither g++ nor clang++: name one of those with --compiler", compiler.native()),
            {}};
    const Outcome<TemporaryFolder> stage = TemporaryFolder::make(root->folder / "stage");
    if (!stage) return stage.failure();
    if (!write_file(stage->path() / "trial.cpp",
                    "#include <cmath>\n#include <new>\n"
                    "int* assay_trial(double x) { return new int(static_cast<int>(std::floor(x))); }\n"))
        return Failure{Verdict::JE, fmt::format("{} cannot be written to", stage->path().native()), {}};
    std::string trouble = "untried";
    for (const std::string_view name : linkers) {
        if (!find_program(fmt::format("ld.{}", name))) continue;
        toolchain.linker = name;
        trouble = trial(toolchain, stage->path());
        if (trouble.empty()) break;
    }
    if (!trouble.empty()) {
        toolchain.linker.clear();
        trouble = trial(toolchain, stage->path());
    }
    if (!trouble.empty())
        return Failure{Verdict::SKIP,
                       fmt::format("{} ({}) cannot build a small C++20 library: install a newer compiler and its "
                                   "standard library with: sudo apt install g++",
                                   toolchain.version, compiler.native()),
                       trouble};
    Kept kept{toolchain, linkers_on_path(), {}};
    for (const fs::path& path : stands_on(toolchain)) kept.stamps.push_back(stamp(path));
    const std::string text = written(kept);
    toolchain.identity = ContentHash().add(text).hex();
    std::error_code error;
    fs::create_directories(folder, error);
    if (!error) write_file(file, text); // not kept: it is asked again
    return toolchain;
}

} // namespace assay
