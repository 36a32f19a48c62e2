#include "sandbox/policy_for.hpp"

#include "sandbox/filter.hpp"
#include "sandbox/system_files.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace assay {

namespace fs = std::filesystem;

namespace {

/// All tasks of the machine: no user has more, and the kernel counts a user's over all its processes.
std::uint64_t tasks_here() {
    std::array<char, 128> text{};
    const int file = ::open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    const ssize_t got = file >= 0 ? ::read(file, text.data(), text.size() - 1) : -1;
    if (file >= 0) ::close(file);
    const char* slash = got > 0 ? std::strchr(text.data(), '/') : nullptr; // "0.20 0.18 0.12 1/80 11206"
    return slash != nullptr ? std::strtoull(slash + 1, nullptr, 10) : 10'000;
}

/// Entries of a folder without `left_out`, or the folder where that does not lie in it.
void add_rules(std::vector<FileRule>& rules, const fs::path& path, FileRule::Kind kind,
               const std::vector<fs::path>& left_out) {
    const bool holds_one =
        std::any_of(left_out.begin(), left_out.end(), [&](const fs::path& out) { return lies_in(out, path); });
    if (!holds_one) {
        rules.push_back({path.native(), kind});
        return;
    }
    std::error_code error;
    for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
        if (std::find(left_out.begin(), left_out.end(), at->path()) == left_out.end())
            add_rules(rules, at->path(), kind, left_out);
}

void add_files(Policy& policy, const View& view, const std::vector<fs::path>& own, bool contained) {
    for (const fs::path& path : view.readable) {
        std::error_code error;
        const bool runs = std::find(own.begin(), own.end(), path) == own.end() || !fs::is_directory(path, error);
        // Inside bubblewrap what is hidden is hidden already.
        add_rules(policy.files, path, runs ? FileRule::Kind::execute : FileRule::Kind::read,
                  contained ? std::vector<fs::path>() : view.hidden);
    }
    for (const fs::path& path : view.writable) policy.files.push_back({path.native(), FileRule::Kind::write});
    for (const char* device : {"/dev/null", "/dev/zero"}) policy.files.push_back({device, FileRule::Kind::device});
    for (const fs::path& device : view.devices) policy.files.push_back({device.native(), FileRule::Kind::device});
    for (const char* path : {"/dev/urandom", "/dev/random", "/sys/devices/system/cpu", "/proc/cpuinfo", "/proc/meminfo",
                             contained ? "/proc" : "/proc/self"})
        policy.files.push_back({path, FileRule::Kind::read});
    if (contained) policy.files.push_back({"/tmp", FileRule::Kind::write});
    if (view.devices.empty()) return;
    // The CUDA driver names its threads (/proc/self/task/*/comm) and ends with cudaErrorOperatingSystem where it may
    // not; what else lies there is the program's own. It looks up its version and devices in the others.
    policy.files.push_back({"/proc/self", FileRule::Kind::write});
    for (const char* path : {"/proc/driver/nvidia", "/proc/devices", "/proc/modules", "/proc/version"})
        policy.files.push_back({path, FileRule::Kind::read});
}

} // namespace

View view_for(const Needs& needs) {
    View view;
    view.readable = needs.compiler.empty() ? system_libraries() : system_for_compiling(needs.compiler);
    if (!needs.starter.empty()) {
        const std::vector<fs::path> first = view.readable;
        for (const fs::path& path : system_for_compiling(needs.starter))
            if (std::none_of(first.begin(), first.end(), [&](const fs::path& one) { return lies_in(path, one); }))
                view.readable.push_back(path);
    }
    view.writable = needs.writable;
    view.devices = needs.devices;
    view.temporary = needs.temporary;
    if (!needs.devices.empty()) view.readable.emplace_back("/sys"); // a driver's library looks its device up there
    view.hidden = to_be_hidden(view.readable);
    const std::vector<fs::path> system = view.readable;
    for (const fs::path& path : needs.readable)
        if (std::none_of(system.begin(), system.end(), [&](const fs::path& one) { return lies_in(path, one); }))
            view.readable.push_back(path);
    return view;
}

Policy policy_for(const Command& command, const Needs& needs, const View& view, const Layers& layers,
                  std::optional<uid_t> user) {
    Policy policy;
    policy.arguments = command.arguments;
    policy.environment = command.environment;
    policy.folder = command.folder.native();
    policy.user = user ? static_cast<std::int64_t>(*user) : -1;
    policy.landlock = layers.landlock;
    if (layers.has(Layer::landlock)) add_files(policy, view, needs.readable, layers.has(Layer::bubblewrap));
    if (layers.has(Layer::seccomp)) {
        const bool processes = needs.starts_programs || !needs.compiler.empty();
        const Filter& filter = filter_for(processes, layers.filter_asks);
        policy.filter = filter.program;
        policy.filter_asks = layers.filter_asks;
        policy.forbidden = filter.forbidden;
        policy.own_signals_only = !processes;
    }
    policy.limits = resource_limits(command.limits);
    const std::uint64_t most = static_cast<std::uint64_t>(needs.processes) + (user ? 0 : tasks_here());
    add_limit(policy.limits, RLIMIT_NPROC, most, most);
    add_limit(policy.limits, RLIMIT_MSGQUEUE, 0, 0);
    return policy;
}

} // namespace assay
