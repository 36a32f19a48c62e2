#include "grade/pool.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <list>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

namespace assay {

namespace {

using Clock = std::chrono::steady_clock;

struct Child {
    std::size_t number = 0;
    pid_t pid = -1;
    int watch = -1;  // pidfd; -1 on kernels without
    int output = -1; // memfd that its stdout and stderr go to
    Clock::time_point begun, deadline;
};

/// The last of what the child wrote, by a descriptor that it shares.
std::string last_output(int descriptor) {
    constexpr off_t most = 8192;
    std::string text;
    const off_t size = descriptor >= 0 ? ::lseek(descriptor, 0, SEEK_END) : -1;
    if (size <= 0) return text;
    text.resize(static_cast<std::size_t>(std::min(size, most)));
    const ssize_t got = ::pread(descriptor, text.data(), text.size(), size - static_cast<off_t>(text.size()));
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
}

class Pool {
  public:
    Pool(const PoolTasks& tasks, const PoolOptions& options) : tasks_(tasks), options_(options) {}
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool() {
        for (Child& child : running_) {
            kill_and_reap(child.pid);
            close_all(child);
        }
    }

    bool run() {
        while (true) {
            while (static_cast<int>(running_.size()) < options_.jobs && start_one()) {
            }
            if (running_.empty()) return true;
            if (!wait()) return false;
            collect();
            if (tasks_.tick) tasks_.tick(static_cast<int>(running_.size()));
        }
    }

  private:
    const PoolTasks& tasks_;
    const PoolOptions& options_;
    std::list<Child> running_;

    static void close_all(Child& child) {
        for (const int descriptor : {child.watch, child.output})
            if (descriptor >= 0) ::close(descriptor);
    }

    bool start_one() {
        Child child;
        Command command;
        if (!tasks_.next(child.number, command)) return false;
        child.output = ::memfd_create("output", MFD_CLOEXEC);
        if (child.output >= 0) {
            command.descriptors.emplace_back(child.output, 1);
            command.descriptors.emplace_back(child.output, 2);
        }
        child.begun = Clock::now();
        child.deadline = child.begun + options_.wall_limit;
        const Outcome<pid_t> started = start(command);
        if (!started) {
            Ended ended;
            ended.exited = true;
            ended.exit_code = 127;
            ended.output = started.failure().reason;
            close_all(child);
            tasks_.ended(child.number, ended);
            return true;
        }
        child.pid = *started;
        child.watch = static_cast<int>(::syscall(SYS_pidfd_open, child.pid, 0u));
        running_.push_back(child);
        return true;
    }

    /// Until a child ends, a deadline passes or a little time is gone; false where a stop was asked for.
    bool wait() {
        std::vector<pollfd> waited{{options_.stop, POLLIN, 0}};
        bool all_watched = true;
        for (const Child& child : running_) {
            waited.push_back({child.watch, POLLIN, 0});
            all_watched = all_watched && child.watch >= 0;
        }
        ::poll(waited.data(), waited.size(), all_watched ? 200 : 5);
        return waited.front().revents == 0;
    }

    void collect() {
        for (auto child = running_.begin(); child != running_.end();) {
            Ended ended;
            int status = 0;
            siginfo_t info{};
            const bool over = ::waitid(P_PID, static_cast<id_t>(child->pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                              info.si_pid == child->pid;
            const bool late = Clock::now() >= child->deadline; // asked second: what has ended was in time
            if (!over && !late) {
                ++child;
                continue;
            }
            ::kill(-child->pid, SIGKILL); // whoever of its group outlived it
            while (::waitpid(child->pid, &status, 0) < 0 && errno == EINTR) {
            }
            ended.timed_out = late && !over;
            ended.exited = WIFEXITED(status);
            ended.exit_code = ended.exited ? WEXITSTATUS(status) : 0;
            ended.signal = ended.exited ? 0 : WTERMSIG(status);
            ended.output = last_output(child->output);
            ended.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - child->begun).count();
            const std::size_t number = child->number;
            close_all(*child);
            child = running_.erase(child);
            tasks_.ended(number, ended);
        }
    }
};

} // namespace

bool run_pool(const PoolTasks& tasks, const PoolOptions& options) { return Pool(tasks, options).run(); }

} // namespace assay
