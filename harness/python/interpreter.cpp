#include "python/interpreter.hpp"

#include "sandbox/process.hpp"

#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace assay {

namespace fs = std::filesystem;

namespace {

constexpr int oldest_minor = 9;

/// The program itself (a manager's script of the same name may have picked it), its version, the tag and build by which
/// compiled code is told apart; then where its library and packages
/// lie, a virtual environment's among them, and every link on the way to the program.
constexpr const char* question = R"(
import os, sys, sysconfig
print(sys.executable)
print(*sys.version_info[:3], sep=".")
print(sys.implementation.cache_tag, sys.version.replace("\n", " "))
link = sys.executable
while os.path.islink(link): # a virtual environment's program is a link to a link
    link = os.path.normpath(os.path.join(os.path.dirname(link), os.readlink(link)))
    print(link)
paths = sysconfig.get_paths()
for name in sorted({paths["stdlib"], paths["platstdlib"], paths["purelib"], paths["platlib"]}):
    print(name)
print("/usr/lib/python3/dist-packages")
if not sys.base_prefix.startswith("/usr"):
    print(sys.base_prefix)
if sys.prefix != sys.base_prefix:
    print(sys.prefix)
)";

struct Asked {
    Interpreter interpreter;
    int major = 0, minor = 0;
};

std::optional<Asked> ask(const fs::path& program) {
    Command command{{program.native(), "-I", "-c", question}, clean_environment(), {}, {}, {}};
    const Outcome<Ended> ended = run(command, std::chrono::seconds(20));
    if (!ended || !ended->exited || ended->exit_code != 0) return std::nullopt;
    std::istringstream lines(ended->output);
    std::string path, version, build;
    if (!std::getline(lines, path) || !std::getline(lines, version) || !std::getline(lines, build)) return std::nullopt;
    Asked asked;
    asked.interpreter = {path, "python " + version, {}, build};
    std::error_code none;
    for (std::string folder; std::getline(lines, folder);)
        if (fs::exists(folder, none)) asked.interpreter.folders.emplace_back(folder);
    char dot = 0;
    std::istringstream numbers(version);
    if (!(numbers >> asked.major >> dot >> asked.minor) || path.empty() || path[0] != '/') return std::nullopt;
    return asked;
}

/// Whether a user without any rights gets at it.
bool is_open_to_all(fs::path path) {
    for (; path.has_relative_path(); path = path.parent_path()) {
        struct stat status {};
        if (::stat(path.c_str(), &status) != 0 || (status.st_mode & S_IXOTH) == 0) return false;
    }
    return true;
}

Outcome<Interpreter> search(const std::string& path) {
    constexpr const char* mend = "install Python 3.9 or newer with: sudo apt install python3";
    std::string older;
    std::istringstream folders(path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path program = fs::path(folder) / "python3";
        if (folder.empty() || folder[0] != '/' || ::access(program.c_str(), X_OK) != 0) continue;
        const std::optional<Asked> asked = ask(program);
        if (!asked) continue;
        // As root, attempts run under a user of their own, who does not get into root's home.
        if (::geteuid() == 0 && !is_open_to_all(asked->interpreter.program)) continue;
        if (asked->major == 3 && asked->minor >= oldest_minor) return asked->interpreter;
        if (older.empty()) older = asked->interpreter.version;
    }
    if (!older.empty())
        return Failure{Verdict::SKIP, fmt::format("Python attempts need Python 3.9 or newer, and python3 is {}: {}",
                                                  older.substr(older.find(' ') + 1), mend)};
    return Failure{Verdict::SKIP, fmt::format("Python attempts need python3, which is not on PATH: {}", mend)};
}

} // namespace

Outcome<Interpreter> find_interpreter() {
    static std::mutex mutex;
    static std::map<std::string, Outcome<Interpreter>> known;
    const char* path = std::getenv("PATH");
    const std::string key = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
    const std::lock_guard lock(mutex);
    const auto found = known.find(key);
    return found != known.end() ? found->second : known.emplace(key, search(key)).first->second;
}

} // namespace assay
