// Making precompiled headers. Measured for <vector>, <cmath>, <span> with g++ 12: 300 ms of parsing saved at each
// compile. A fixed header for all would change the language (a forgotten #include would pass), hence one a list.
#include "attempt/build_precompiled.hpp"

#include "attempt/build_cache.hpp"
#include "attempt/toolchain_probe.hpp"
#include "sandbox/process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace assay {

namespace fs = std::filesystem;

namespace {

struct Paths {
    fs::path header;   // the list as includes
    fs::path compiled; // its precompiled form
    fs::path size;     // bytes of `compiled`, written last; its time says when it was used
    fs::path failed;   // stands where making it failed, so that it is not tried at every build
    fs::path lock;
};

Paths paths_of(const PrecompiledRecipe& recipe) {
    ContentHash hash;
    hash.add("precompiled 1").add(recipe.toolchain.identity);
    for (const std::string& flag : recipe.flags) hash.add(flag);
    for (const std::string& folder : recipe.folders) hash.add(folder);
    if (recipe.in_order()) hash.add(recipe.content);
    hash.add("headers");
    for (const std::string& header : recipe.headers) hash.add(header);
    const std::string base = (recipe.cache / "precompiled" / hash.hex()).native();
    const bool gcc = recipe.toolchain.family == Toolchain::Family::gcc;
    return {base + ".hpp", base + (gcc ? ".hpp.gch" : ".pch"), base + ".size", base + ".failed", base + ".lock"};
}

std::string size_of(const fs::path& path) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    return error ? std::string() : std::to_string(size);
}

bool is_ready(const Paths& paths) {
    const auto size = read_file(paths.size, 64);
    std::error_code error;
    return size && !size->empty() && *size == size_of(paths.compiled) && fs::exists(paths.header, error);
}

/// One that is being made.
struct Pending {
    pid_t pid = -1;
    int lock = -1; // open while we hold it
    Paths paths;
    fs::path unfinished;
};

std::mutex shared_mutex;
std::set<std::vector<std::string>> shared_lists;

std::mutex pending_mutex;
std::vector<Pending> pending;

/// `exit_code`: the compiler's, nothing where it did not come to one.
void settle(const Pending& made, std::optional<int> exit_code) {
    std::error_code error;
    if (exit_code == 0) {
        fs::rename(made.unfinished, made.paths.compiled, error);
        if (!error) write_file(made.paths.size, size_of(made.paths.compiled));
    } else {
        fs::remove(made.unfinished, error);
        // A signal was ours or the system's; only the compiler's own refusal will be the same the next time.
        if (exit_code) write_file(made.paths.failed, {});
    }
    ::close(made.lock);
}

/// Takes in what has finished; gives how many are left.
std::size_t settle_finished() {
    const auto finished = [](const Pending& made) {
        int status = 0;
        const pid_t reaped = ::waitpid(made.pid, &status, WNOHANG);
        if (reaped == 0) return false;
        const bool exited = reaped == made.pid && WIFEXITED(status);
        settle(made, exited ? std::optional<int>(WEXITSTATUS(status)) : std::nullopt);
        return true;
    };
    pending.erase(std::remove_if(pending.begin(), pending.end(), finished), pending.end());
    return pending.size();
}

/// Takes the lock and lays the list: what is left is to run the command. Nothing where it is there, is being made
/// elsewhere, or failed before.
std::optional<Pending> begin(const PrecompiledRecipe& recipe) {
    if (recipe.headers.empty()) return std::nullopt;
    const Paths paths = paths_of(recipe);
    std::error_code error;
    if (is_ready(paths) || fs::exists(paths.failed, error)) return std::nullopt;
    fs::create_directories(paths.header.parent_path(), error);
    const int lock = ::open(paths.lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (lock < 0) return std::nullopt;
    std::string text;
    for (const std::string& header : recipe.headers) text += fmt::format("#include <{}>\n", header);
    // The lock goes with the process that holds it, however that ends. It also parts two builds of one process.
    if (::flock(lock, LOCK_EX | LOCK_NB) != 0 || is_ready(paths) || !write_file(paths.header, text)) {
        ::close(lock);
        return std::nullopt;
    }
    return Pending{-1, lock, paths, fmt::format("{}.{}.tmp", paths.compiled.native(), ::getpid())};
}

Command command_for(const PrecompiledRecipe& recipe, const Pending& made) {
    Command command{driver(recipe.toolchain), clean_environment(), "/", {}, {}};
    for (const std::vector<std::string>& more : {recipe.flags, recipe.folders})
        command.arguments.insert(command.arguments.end(), more.begin(), more.end());
    for (const std::string& argument : {std::string("-x"), std::string("c++-header"), made.paths.header.native(),
                                        std::string("-o"), made.unfinished.native()})
        command.arguments.push_back(argument);
    command.limits = {60, std::uint64_t{4} << 30, std::uint64_t{512} << 20};
    return command;
}

} // namespace

bool serves(const std::vector<std::string>& list, const PrecompiledRecipe& recipe) {
    const std::vector<std::string>& own = recipe.headers;
    if (recipe.in_order()) return list.size() <= own.size() && std::equal(list.begin(), list.end(), own.begin());
    return std::all_of(list.begin(), list.end(), [&](const std::string& header) {
        return std::find(own.begin(), own.end(), header) != own.end();
    });
}

PrecompiledUse use_precompiled(const PrecompiledRecipe& recipe) {
    if (recipe.headers.empty()) return {};
    const Paths paths = paths_of(recipe);
    if (!is_ready(paths)) return {};
    ::utimensat(AT_FDCWD, paths.size.c_str(), nullptr, 0);
    const std::vector<fs::path> files{paths.header, paths.compiled};
    if (recipe.toolchain.family == Toolchain::Family::clang) return {{"-include-pch", paths.compiled.native()}, files};
    // g++ passes over a header that does not fit in silence, and parses the text instead.
    return {{"-Winvalid-pch", "-Werror=invalid-pch", "-include", paths.header.native()}, files};
}

void make_precompiled_later(const PrecompiledRecipe& recipe) {
    const std::lock_guard<std::mutex> guard(pending_mutex);
    std::optional<Pending> made = begin(recipe);
    if (!made) return;
    const Outcome<pid_t> pid = start(command_for(recipe, *made));
    if (!pid) {
        ::close(made->lock);
        return;
    }
    made->pid = *pid;
    pending.push_back(std::move(*made));
}

void share_precompiled(const PrecompiledRecipe& recipe) {
    {
        const std::lock_guard<std::mutex> guard(shared_mutex);
        shared_lists.insert(recipe.headers);
    }
    const std::optional<Pending> made = begin(recipe);
    if (!made) return;
    const Outcome<Ended> ended = run(command_for(recipe, *made), std::chrono::minutes(1));
    const bool exited = ended && !ended->timed_out && ended->exited;
    settle(*made, exited ? std::optional<int>(ended->exit_code) : std::nullopt);
}

PrecompiledRecipe nearest_precompiled(const PrecompiledRecipe& recipe) {
    if (recipe.headers.empty() || is_ready(paths_of(recipe))) return recipe;
    PrecompiledRecipe nearest = recipe, other = recipe;
    std::size_t most = 0;
    const std::lock_guard<std::mutex> guard(shared_mutex);
    for (const std::vector<std::string>& list : shared_lists) {
        other.headers = list;
        if (list.size() <= most || !serves(list, recipe) || !is_ready(paths_of(other))) continue;
        nearest.headers = list;
        most = list.size();
    }
    return nearest;
}

void discard_precompiled(const PrecompiledRecipe& recipe) {
    const Paths paths = paths_of(recipe);
    std::error_code error;
    for (const fs::path& path : {paths.size, paths.compiled}) fs::remove(path, error);
}

void collect_finished_precompiled() {
    const std::lock_guard<std::mutex> guard(pending_mutex);
    settle_finished();
}

void wait_for_precompiled() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    const std::lock_guard<std::mutex> guard(pending_mutex);
    while (settle_finished() > 0) {
        if (std::chrono::steady_clock::now() > deadline)
            for (const Pending& made : pending) ::kill(-made.pid, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

} // namespace assay
