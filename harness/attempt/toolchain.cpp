// Finds compilers and asks each, once, what it is and which fast linker it can use.
#include "attempt/toolchain.hpp"

#include "attempt/build_cache.hpp"
#include "attempt/toolchain_probe.hpp"
#include "sandbox/process.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fmt/format.h>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace assay {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> search_path() {
    std::vector<fs::path> folders;
    const char* set = std::getenv("PATH");
    std::istringstream list(set && *set ? set : "/usr/local/bin:/usr/bin:/bin");
    for (std::string folder; std::getline(list, folder, ':');)
        // An empty or relative entry means the current folder: a submission there must not choose the compiler.
        if (!folder.empty() && folder[0] == '/') folders.emplace_back(folder);
    return folders;
}

bool is_program(const fs::path& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

/// Links resolved, save where the link's name is what makes the program a compiler (ccache, distcc).
std::optional<fs::path> resolve(const fs::path& path) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error || !is_program(real)) return std::nullopt;
    for (const char* wrapper : {"ccache", "sccache", "distcc", "icecc"})
        if (real.filename() == wrapper) return std::nullopt;
    return real;
}

/// "g++", "clang++", "g++-14", ...: the version, 0 where there is none; nothing for other names.
std::optional<int> compiler_version(std::string_view name) {
    for (const std::string_view family : {"g++", "clang++"}) {
        if (name == family) return 0;
        if (name.substr(0, family.size()) != family || name.size() <= family.size() + 1 || name[family.size()] != '-')
            continue;
        const std::string_view digits = name.substr(family.size() + 1);
        if (digits.size() <= 3 &&
            std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); }))
            return std::stoi(std::string(digits));
    }
    return std::nullopt;
}

/// The names that most systems have, to try first.
std::vector<std::string> plain_names() { return {"g++", "clang++"}; }

/// The versioned ones on PATH, newest first, g++ before clang++. Reads every folder of PATH.
std::vector<std::string> versioned_names() {
    std::set<std::string> found;
    for (const fs::path& folder : search_path()) {
        std::error_code error;
        for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
            const std::string name = at->path().filename().native();
            if (compiler_version(name).value_or(0) > 0) found.insert(name);
        }
    }
    std::vector<std::string> versioned(found.begin(), found.end());
    std::stable_sort(versioned.begin(), versioned.end(), [](const std::string& a, const std::string& b) {
        if (a[0] != b[0]) return a[0] == 'g';
        return *compiler_version(a) > *compiler_version(b);
    });
    return versioned;
}

/// The C compiler's name means its C++ sibling: "gcc-12" is "g++-12".
std::string cxx_name(const std::string& name) {
    for (const auto& [c, cxx] : {std::pair<std::string, std::string>{"gcc", "g++"}, {"clang", "clang++"}})
        if (name == c || name.substr(0, c.size() + 1) == c + "-") return cxx + name.substr(c.size());
    return name;
}

std::string install_hint(const std::string& name) {
    if (name.substr(0, 7) == "clang++") return "sudo apt install clang" + name.substr(7);
    return "sudo apt install " + (compiler_version(name) ? name : std::string("g++"));
}

Failure environment(std::string reason, std::string detail = {}) {
    return {Verdict::SKIP, std::move(reason), std::move(detail)};
}

} // namespace

std::optional<fs::path> find_program(const std::string& name) {
    for (const fs::path& folder : search_path()) {
        if (!is_program(folder / name)) continue;
        if (auto real = resolve(folder / name)) return real;
    }
    return std::nullopt;
}

std::vector<fs::path> linker_files(const Toolchain& toolchain) {
    std::vector<fs::path> files;
    for (const fs::path& folder : search_path()) {
        const fs::path file = folder / ("ld." + toolchain.linker);
        const auto real = toolchain.linker.empty() ? std::nullopt : resolve(file);
        if (!real) continue;
        files = {file};
        if (*real != file) files.push_back(*real);
        break; // the compiler takes the first as well
    }
    return files;
}

Outcome<Toolchain> find_toolchain(std::string_view wanted, const fs::path& cache) {
    if (wanted.empty()) {
        std::optional<Failure> first; // of a compiler that is there but does not work
        for (const auto names : {&plain_names, &versioned_names})
            for (const std::string& name : names()) {
                const auto path = find_program(name);
                if (!path) continue;
                Outcome<Toolchain> found = known_or_probed(*path, cache);
                if (found) return found;
                if (!first) first = found.failure();
            }
        if (first) return *first;
        return environment(
            "no C++ compiler: neither g++ nor clang++ is on PATH; install one with: sudo apt install g++");
    }
    const std::string name = cxx_name(std::string(wanted));
    std::optional<fs::path> path;
    if (name.find('/') == std::string::npos)
        path = find_program(name);
    else {
        const fs::path given(name);
        path = resolve(given.parent_path() / cxx_name(given.filename().native()));
    }
    if (!path && name.find('/') != std::string::npos)
        return environment(fmt::format("no C++ compiler at {}: give a program's path, or a name such as g++-12", name));
    if (!path)
        return environment(fmt::format("no C++ compiler {} on PATH: install it with: {}", name, install_hint(name)));
    return known_or_probed(*path, cache);
}

std::vector<Toolchain> all_toolchains(const fs::path& cache) {
    std::vector<Toolchain> all;
    std::vector<std::string> names = plain_names();
    for (std::string& name : versioned_names()) names.push_back(std::move(name));
    for (const std::string& name : names) {
        const auto path = find_program(name);
        if (!path) continue;
        const bool listed =
            std::any_of(all.begin(), all.end(), [&](const Toolchain& other) { return other.compiler == *path; });
        if (listed) continue;
        Outcome<Toolchain> found = known_or_probed(*path, cache);
        if (found) all.push_back(*found);
    }
    return all;
}

} // namespace assay
