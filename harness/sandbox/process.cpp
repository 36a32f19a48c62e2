// Starts child processes: limits, descriptors and privileges are settled between vfork and exec, where only
// async-signal-safe calls on values prepared beforehand are allowed, because the child runs in the parent's memory.
#include "sandbox/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

namespace assay {

namespace {

/// All that the child needs, allocated before it exists.
struct Prepared {
    std::vector<char*> arguments, environment; // null-terminated
    const char* folder = nullptr;              // null: stay
    std::vector<std::pair<int, int>> moves;    // (ours, the child's), by the child's number
    std::vector<int> parked;                   // a copy of each of ours, above every number of the child's
    std::vector<ResourceLimit> limits;
    int highest_descriptor = 0; // for systems without close_range
    pid_t parent = 0;
    // Written by the child, read by the parent after exec failed: vfork shares the memory.
    volatile int error = 0;
    const char* volatile step = "";
};

[[noreturn]] void give_up(Prepared& p, const char* step) {
    p.error = errno;
    p.step = step;
    _exit(127);
}

void close_between(const Prepared& p, unsigned first, unsigned last) {
    if (first > last) return;
    if (::syscall(SYS_close_range, first, last, 0u) == 0) return;
    const unsigned end = std::min(last, static_cast<unsigned>(p.highest_descriptor));
    for (unsigned fd = first; fd <= end; ++fd) ::close(static_cast<int>(fd));
}

void settle_descriptors(Prepared& p) {
    // Two steps, since the child's numbers may be ones that still hold something to be moved.
    const int above = p.moves.empty() ? 3 : std::max(3, p.moves.back().second + 1);
    for (std::size_t i = 0; i < p.moves.size(); ++i) {
        p.parked[i] = ::fcntl(p.moves[i].first, F_DUPFD, above);
        if (p.parked[i] < 0) give_up(p, "pass on a descriptor");
    }
    unsigned next = 0;
    for (std::size_t i = 0; i < p.moves.size(); ++i) {
        const int target = p.moves[i].second;
        if (::dup2(p.parked[i], target) < 0) give_up(p, "pass on a descriptor");
        if (static_cast<unsigned>(target) > next) close_between(p, next, static_cast<unsigned>(target) - 1);
        next = static_cast<unsigned>(target) + 1;
    }
    close_between(p, next, ~0u);
    // A program that opens a file must not get a number which others take for its standard output.
    for (int fd = 0; fd <= 2; ++fd)
        if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) < 0) give_up(p, "open /dev/null");
}

[[noreturn]] void become(Prepared& p) {
    // The parent's handlers would run in the parent's memory: none may be left before signals are let in again.
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &standard, nullptr);
    if (::setpgid(0, 0) != 0) give_up(p, "make a process group");
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up(p, "tie it to its parent");
    if (::getppid() != p.parent) _exit(127); // the parent ended before the tie was made
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) give_up(p, "give up privileges");
    if (p.folder && ::chdir(p.folder) != 0) give_up(p, "enter its folder");
    settle_descriptors(p);
    for (const ResourceLimit& limit : p.limits) {
        const rlimit value{limit.soft, limit.hard};
        if (::setrlimit(static_cast<__rlimit_resource>(limit.resource), &value) != 0) give_up(p, "set a limit");
    }
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execve(p.arguments[0], p.arguments.data(), p.environment.data());
    give_up(p, "run");
}

Prepared prepare(const Command& command) {
    Prepared p;
    for (const std::string& argument : command.arguments) p.arguments.push_back(const_cast<char*>(argument.c_str()));
    p.arguments.push_back(nullptr);
    for (const std::string& entry : command.environment) p.environment.push_back(const_cast<char*>(entry.c_str()));
    p.environment.push_back(nullptr);
    if (!command.folder.empty()) p.folder = command.folder.c_str();
    p.moves = command.descriptors;
    std::sort(p.moves.begin(), p.moves.end(), [](auto& a, auto& b) { return a.second < b.second; });
    p.parked.resize(p.moves.size());
    p.parent = ::getpid();
    rlimit files{};
    p.highest_descriptor = ::getrlimit(RLIMIT_NOFILE, &files) == 0
                               ? static_cast<int>(std::min<rlim_t>(files.rlim_cur, rlim_t{1} << 20))
                               : 1024;
    p.limits = resource_limits(command.limits);
    return p;
}

/// A function of its own, so that no variable of the caller can be overwritten by the child.
[[gnu::noinline]] pid_t vfork_into(Prepared& p) {
    const pid_t pid = ::vfork();
    if (pid == 0) become(p);
    return pid;
}

} // namespace

Outcome<pid_t> start(const Command& command) {
    if (command.arguments.empty() || command.arguments[0].empty() || command.arguments[0][0] != '/')
        return Failure{Verdict::JE, "a program to start needs an absolute path"};
    Prepared p = prepare(command);
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = vfork_into(p);
    const int vfork_error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0)
        return Failure{Verdict::JE, fmt::format("{} could not be started: no new process ({})", command.arguments[0],
                                                std::strerror(vfork_error))};
    if (p.error != 0) {
        while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
        }
        return Failure{Verdict::JE, fmt::format("{} could not be started: failed to {} ({})", command.arguments[0],
                                                static_cast<const char*>(p.step), std::strerror(p.error))};
    }
    return pid;
}

CpuClock::CpuClock(pid_t pid) {
    found_ = pid > 0 && ::clock_getcpuclockid(pid, &clock_) == 0; // pid 0 would mean ourselves
}

double CpuClock::seconds() const {
    timespec used{};
    if (!found_ || ::clock_gettime(clock_, &used) != 0) return -1;
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

double cpu_seconds(pid_t pid) { return CpuClock(pid).seconds(); }

std::uint64_t resident_bytes(pid_t pid) {
    std::array<char, 4096> text{};
    const int file = ::open(fmt::format("/proc/{}/status", pid).c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t got = file >= 0 ? ::read(file, text.data(), text.size() - 1) : -1;
    if (file >= 0) ::close(file);
    std::uint64_t kib = 0;
    for (const char* name : {"\nRssAnon:", "\nRssShmem:"})
        if (const char* found = got > 0 ? std::strstr(text.data(), name) : nullptr; found != nullptr)
            kib += std::strtoull(found + std::strlen(name), nullptr, 10);
    return kib << 10;
}

void kill_and_reap(pid_t pid) {
    if (pid <= 1) return; // -1 and 0 address far more than one group
    ::kill(-pid, SIGKILL);
    ::kill(pid, SIGKILL);
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

std::vector<std::string> clean_environment() {
    const auto value = [](const char* name, const char* otherwise) {
        const char* found = std::getenv(name);
        return fmt::format("{}={}", name, found && *found ? found : otherwise);
    };
    return {value("PATH", "/usr/local/bin:/usr/bin:/bin"), value("HOME", "/"), "LANG=C.UTF-8", value("TMPDIR", "/tmp")};
}

} // namespace assay
