// Version 1 groups are entered through `tasks`: writing "0" there moves the one thread that writes, for which the
// kernel takes no global lock; `cgroup.procs` waits for a grace period, milliseconds.
#include "sandbox/cgroup.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace assay {

namespace fs = std::filesystem;

namespace {

/// "" where all of it was written, else the reason.
std::string put(const fs::path& file, const std::string& text) {
    const int fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    const bool written = fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    const int error = errno;
    if (fd >= 0) ::close(fd);
    return written ? "" : fmt::format("{} cannot be written: {}", file.native(), std::strerror(error));
}

/// Files of the kernel have no size: they are read until they end.
std::string text_of(const fs::path& file) {
    std::string text;
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    std::array<char, 4096> piece;
    for (ssize_t got = 0; fd >= 0 && (got = ::read(fd, piece.data(), piece.size())) > 0;)
        text.append(piece.data(), static_cast<std::size_t>(got));
    if (fd >= 0) ::close(fd);
    return text;
}

std::vector<std::string> split(const std::string& text, char mark) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, mark);) parts.push_back(part);
    return parts;
}

bool lists(const std::string& text, std::string_view word, char mark) {
    const auto words = split(text, mark);
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Our own group's folder in the hierarchy of `controller`; for "" in version 2's.
std::optional<fs::path> own_folder(const std::string& controller) {
    std::string group; // "/user.slice/..."
    for (const std::string& line : split(text_of("/proc/self/cgroup"), '\n')) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (controller.empty() ? controllers.empty() && line[0] == '0' : lists(controllers, controller, ','))
            group = line.substr(second + 1);
    }
    if (group.empty()) return std::nullopt;
    for (const std::string& line : split(text_of("/proc/self/mountinfo"), '\n')) {
        const std::size_t dash = line.find(" - ");
        if (dash == std::string::npos) continue;
        const auto left = split(line.substr(0, dash), ' '), right = split(line.substr(dash + 3), ' ');
        if (left.size() < 5 || right.size() < 3) continue;
        if (controller.empty() ? right[0] != "cgroup2" : right[0] != "cgroup" || !lists(right[2], controller, ','))
            continue;
        // The mount may show a part of the hierarchy (in a container): what is above it is not in the path.
        const std::string& top = left[3];
        if (top != "/" && group.compare(0, top.size(), top) == 0) group.erase(0, top.size());
        fs::path folder = left[4] + (group == "/" ? "" : group);
        std::error_code error;
        return fs::is_directory(folder, error) ? folder : fs::path(left[4]);
    }
    return std::nullopt;
}

std::string make_folder(const fs::path& folder) {
    if (::mkdir(folder.c_str(), 0755) == 0 || errno == EEXIST) return "";
    return fmt::format("no group can be made in {}: {}", folder.parent_path().native(), std::strerror(errno));
}

std::string bound(const CgroupRoot& root, const fs::path& memory, const fs::path& processes, std::uint64_t bytes,
                  int most) {
    const std::string limit = std::to_string(bytes);
    if (root.second) {
        if (const std::string why = put(memory / "memory.max", limit); !why.empty()) return why;
        put(memory / "memory.swap.max", "0");
    } else {
        // A limit may not rise above the one on memory and swap together, nor that fall below it: both ways are tried.
        put(memory / "memory.memsw.limit_in_bytes", "-1");
        if (const std::string why = put(memory / "memory.limit_in_bytes", limit); !why.empty()) return why;
        put(memory / "memory.memsw.limit_in_bytes", limit);
    }
    return put(processes / "pids.max", std::to_string(most));
}

std::string group_name() {
    static int number = 0;
    return fmt::format("assay-{}-{}", ::getpid(), number++);
}

/// Groups of a judge that was killed: their processes died with it.
void remove_stale(const fs::path& folder) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().native();
        if (name.compare(0, 6, "assay-") != 0) continue;
        const auto judge = static_cast<pid_t>(std::strtol(name.c_str() + 6, nullptr, 10));
        if (judge > 0 && ::kill(judge, 0) != 0 && errno == ESRCH) ::rmdir(at->path().c_str());
    }
}

/// "" where groups can be made below; they are tried out with one.
std::string try_out(const CgroupRoot& root) {
    remove_stale(root.memory);
    if (!root.second) remove_stale(root.processes);
    const std::string name = group_name();
    const fs::path memory = root.memory / name, processes = root.processes / name;
    std::string why = make_folder(memory);
    if (why.empty()) why = make_folder(processes);
    if (why.empty()) why = bound(root, memory, processes, std::uint64_t{64} << 20, 16);
    ::rmdir(memory.c_str());
    ::rmdir(processes.c_str());
    return why;
}

/// Version 2: a group with processes of its own can give its children no controllers, so we move into a child first.
/// Only where the group is ours alone; root may use the top of the hierarchy, which is exempt.
std::string prepare_second(const fs::path& own, CgroupRoot& root) {
    const auto offers = [](const fs::path& folder) {
        std::string text = text_of(folder / "cgroup.controllers");
        std::replace(text.begin(), text.end(), '\n', ' ');
        return lists(text, "memory", ' ') && lists(text, "pids", ' ');
    };
    const auto hand_down = [](const fs::path& folder) {
        return put(folder / "cgroup.subtree_control", "+memory +pids");
    };
    if (!offers(own)) return fmt::format("{} offers no memory and pids controllers", own.native());
    root = {true, own, own};
    if (hand_down(own).empty()) return "";
    const std::string inhabitants = text_of(own / "cgroup.procs");
    if (::access((own / "cgroup.procs").c_str(), W_OK) == 0 && inhabitants == fmt::format("{}\n", ::getpid())) {
        const fs::path judge = own / fmt::format("assay-{}-judge", ::getpid());
        std::string why = make_folder(judge);
        if (why.empty()) why = put(judge / "cgroup.procs", "0");
        if (why.empty()) why = hand_down(own);
        return why;
    }
    if (::geteuid() != 0) return fmt::format("the group {} is not ours alone", own.native());
    fs::path top = own;
    while (top.has_parent_path() && top != top.parent_path() &&
           ::access((top.parent_path() / "cgroup.controllers").c_str(), F_OK) == 0)
        top = top.parent_path();
    root = {true, top, top};
    return offers(top) ? hand_down(top) : fmt::format("{} offers no memory and pids controllers", top.native());
}

struct Pool {
    std::mutex mutex;
    std::vector<std::string> free; // names below `root`
    CgroupRoot root;
    ~Pool() { empty(); }
    void empty() {
        for (const std::string& name : free) {
            ::rmdir((root.memory / name).c_str());
            if (!root.second) ::rmdir((root.processes / name).c_str());
        }
        free.clear();
    }
};

Pool& pool() {
    static Pool one;
    return one;
}

} // namespace

std::shared_ptr<const CgroupRoot> find_cgroup_root(std::string& why) {
    const auto memory = own_folder("memory"), processes = own_folder("pids");
    CgroupRoot root;
    if (memory && processes) {
        root = {false, *memory, *processes};
        why = try_out(root);
    } else if (const auto second = own_folder("")) {
        why = prepare_second(*second, root);
        if (why.empty()) why = try_out(root);
    } else {
        why = "no cgroup hierarchy is mounted";
    }
    return why.empty() ? std::make_shared<const CgroupRoot>(root) : nullptr;
}

Outcome<std::unique_ptr<Cgroup>> Cgroup::make(const CgroupRoot& root, std::uint64_t memory, int processes) {
    std::string name;
    {
        Pool& shared = pool();
        const std::lock_guard<std::mutex> lock(shared.mutex);
        shared.root = root;
        if (shared.free.empty()) {
            name = group_name();
        } else {
            name = shared.free.back();
            shared.free.pop_back();
        }
    }
    std::unique_ptr<Cgroup> group(new Cgroup);
    group->second_ = root.second;
    group->memory_ = root.memory / name;
    group->processes_ = root.processes / name;
    std::string why = make_folder(group->memory_);
    if (why.empty() && !root.second) why = make_folder(group->processes_);
    if (why.empty()) why = bound(root, group->memory_, group->processes_, memory, processes);
    const char* list = root.second ? "cgroup.procs" : "tasks";
    for (const fs::path& folder : {group->memory_, group->processes_}) {
        if (!why.empty() || (root.second && !group->lists_.empty())) break;
        const int fd = ::open((folder / list).c_str(), O_WRONLY | O_CLOEXEC);
        if (fd < 0) why = fmt::format("{} cannot be opened: {}", (folder / list).native(), std::strerror(errno));
        if (fd >= 0) group->lists_.push_back(fd);
    }
    if (!why.empty()) return Failure{Verdict::JE, "no cgroup for an attempt could be made: " + why, {}};
    group->kills_before_ = group->kills();
    return group;
}

Cgroup::~Cgroup() {
    for (const int fd : lists_) ::close(fd);
    if (memory_.empty()) return;
    Pool& shared = pool();
    const std::lock_guard<std::mutex> lock(shared.mutex);
    shared.free.push_back(memory_.filename().native());
}

std::uint64_t Cgroup::kills() const {
    const std::string text = text_of(memory_ / (second_ ? "memory.events" : "memory.oom_control"));
    for (const std::string& line : split(text, '\n'))
        if (line.compare(0, 9, "oom_kill ") == 0) return std::strtoull(line.c_str() + 9, nullptr, 10);
    return 0;
}

bool Cgroup::out_of_memory() const { return kills() > kills_before_; }

void remove_cgroups() {
    Pool& shared = pool();
    const std::lock_guard<std::mutex> lock(shared.mutex);
    shared.empty();
}

} // namespace assay
