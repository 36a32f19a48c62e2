// Runs a child to its end: gathers its output up to a cap, watches the clock, and leaves nobody of its group behind.
#include "attempt/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

namespace assay {

namespace {

using Clock = std::chrono::steady_clock;

class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }
    int get() const { return fd_; }
    void close() {
        if (fd_ >= 0) ::close(fd_);
        fd_ = -1;
    }

  private:
    int fd_;
};

bool names(const Command& command, int target) {
    for (const auto& move : command.descriptors)
        if (move.second == target) return true;
    return false;
}

/// Takes what the pipe holds now; what lies beyond the cap is read and dropped, so that the writer never blocks on us.
/// Gives whether the writers' end is still open.
bool drain(int fd, std::size_t cap, Ended& ended) {
    std::array<char, 16384> piece;
    while (true) {
        const ssize_t got = ::read(fd, piece.data(), piece.size());
        if (got == 0) return false;
        if (got < 0) {
            if (errno == EINTR) continue;
            return errno == EAGAIN;
        }
        const std::size_t size = static_cast<std::size_t>(got), room = cap - ended.output.size();
        ended.output.append(piece.data(), std::min(size, room));
        if (size > room) {
            ended.output_cut = true;
            return true; // back to the clock: an endless flood must not keep us here
        }
    }
}

/// Whether the child has ended, without reaping it: its number stays taken, so its group can still be addressed.
bool has_ended(pid_t pid) {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

int milliseconds_until(Clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

} // namespace

Outcome<Ended> run(const Command& command, std::chrono::milliseconds wall_limit, std::size_t output_cap) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return Failure{Verdict::JE, fmt::format("no pipe for a child's output ({})", std::strerror(errno))};
    Descriptor ours(ends[0]), childs(ends[1]);
    // Only our end: O_NONBLOCK on the child's would be a surprise to it.
    ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
    Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));

    Command with_output = command;
    if (!names(command, 0) && nothing.get() >= 0) with_output.descriptors.emplace_back(nothing.get(), 0);
    if (!names(command, 1)) with_output.descriptors.emplace_back(childs.get(), 1);
    if (!names(command, 2)) with_output.descriptors.emplace_back(childs.get(), 2);

    const Clock::time_point begun = Clock::now(), deadline = begun + wall_limit;
    const Outcome<pid_t> started = start(with_output);
    if (!started) return started.failure();
    const pid_t pid = *started;
    childs.close();
    const Descriptor watch(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0u)));

    Ended ended;
    bool open = true;
    while (!has_ended(pid)) {
        int wait_ms = milliseconds_until(deadline);
        if (wait_ms == 0 && Clock::now() >= deadline) {
            ended.timed_out = true;
            break;
        }
        // Without a pidfd (kernels before 5.3) the end is looked for every few milliseconds.
        if (watch.get() < 0) wait_ms = std::min(wait_ms, 5);
        std::array<pollfd, 2> waited{pollfd{open ? ours.get() : -1, POLLIN, 0}, pollfd{watch.get(), POLLIN, 0}};
        const int ready = ::poll(waited.data(), waited.size(), wait_ms);
        if (ready > 0 && waited[0].revents != 0) open = drain(ours.get(), output_cap, ended);
    }
    ::kill(-pid, SIGKILL); // descendants that outlived it, or all of them at the deadline
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    while (open && !ended.output_cut) {
        const std::size_t before = ended.output.size();
        open = drain(ours.get(), output_cap, ended);
        if (ended.output.size() == before) break;
    }
    ended.exited = WIFEXITED(status);
    if (ended.exited) ended.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
    ended.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
    return ended;
}

} // namespace assay
