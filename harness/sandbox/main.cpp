// assay-confine: starts one program under a policy, answers for its filter, and leaves nothing of it behind.
//
// It is the parent of the program, at every level of isolation: as process 1 of its own process space, where
// bubblewrap gives one, else as the one that inherits what the program's descendants leave. The judge holds a leash to
// it, a socket: when that is let go, everything dies. The program never sees leash or policy: both close as it starts.
#include "sandbox/become.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace assay;

struct Nothing {};

template <class Body> void say(Word word, const Body& body, const char* text = "") {
    std::array<char, 256> message{static_cast<char>(word)};
    std::memcpy(message.data() + 1, &body, sizeof body);
    const std::size_t head = 1 + sizeof body, more = std::min(std::strlen(text), message.size() - head);
    std::memcpy(message.data() + head, text, more);
    ::send(leash_descriptor, message.data(), head + more, MSG_NOSIGNAL);
}

std::optional<Policy> read_policy() {
    struct stat status {};
    if (::fstat(policy_descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    if (::pread(policy_descriptor, bytes.data(), bytes.size(), 0) != status.st_size) return std::nullopt;
    return decoded(bytes);
}

double now() {
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Kills every process whose parent we are. Those that they leave become our children, for the next round.
void kill_children() {
    DIR* folder = ::opendir("/proc");
    if (folder == nullptr) return;
    while (const dirent* entry = ::readdir(folder)) {
        const long pid = std::strtol(entry->d_name, nullptr, 10);
        if (pid <= 1) continue;
        std::array<char, 512> text{};
        const int file = ::open(("/proc/" + std::to_string(pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
        const ssize_t got = file >= 0 ? ::read(file, text.data(), text.size() - 1) : -1;
        if (file >= 0) ::close(file);
        const char* after_name = got > 0 ? std::strrchr(text.data(), ')') : nullptr; // ") S parent ..."
        if (after_name != nullptr && std::strlen(after_name) > 4 && std::atol(after_name + 4) == ::getpid())
            ::kill(static_cast<pid_t>(pid), SIGKILL);
    }
    ::closedir(folder);
}

/// Kills every process of the program's own user, all at once: a fork bomb cannot run away from it.
void kill_user(uid_t user) {
    const pid_t killer = ::fork();
    if (killer == 0) {
        if (::syscall(SYS_setresuid, user, user, user) == 0) ::kill(-1, SIGKILL);
        ::_exit(0);
    }
    while (killer > 0 && ::waitpid(killer, nullptr, 0) < 0 && errno == EINTR) {
    }
}

/// The descriptor under a number that neither the program's nor the leash's can be.
int out_of_the_way(int fd) {
    if (fd < 0) return fd;
    const int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, 32);
    ::close(fd);
    return moved;
}

class Supervisor {
  public:
    explicit Supervisor(const Policy& policy) : policy_(policy) {
        // Process 1 of a process space dies with bubblewrap; elsewhere we outlive a killed judge to clean up after it.
        if (::getpid() != 1) ::prctl(PR_SET_PDEATHSIG, 0);
        ::prctl(PR_SET_CHILD_SUBREAPER, 1);
        ::prctl(PR_SET_DUMPABLE, 0); // nobody of the same user may look into us
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(signal, SIG_IGN);
        sigset_t child;
        ::sigemptyset(&child);
        ::sigaddset(&child, SIGCHLD);
        ::sigprocmask(SIG_BLOCK, &child, nullptr);
        signals_ = out_of_the_way(::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK));
        for (int fd = leash_descriptor; fd < first_cgroup_descriptor + policy.cgroups; ++fd)
            ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    }

    int supervise() {
        const Child child = start_child(policy_);
        if (child.error != 0) {
            say(Word::failed, FailedWord{child.error}, child.step);
            return 1;
        }
        say(Word::running, Nothing{});
        child_ = child.pid;
        listener_ = out_of_the_way(child.listener);
        // What the program holds shall close when the program does.
        for (int fd = 0; fd < leash_descriptor; ++fd) ::close(fd);
        while (!ended_) {
            std::array<pollfd, 3> waited{pollfd{signals_, POLLIN, 0}, pollfd{leash_descriptor, POLLIN, 0},
                                         pollfd{listener_, POLLIN, 0}};
            if (::poll(waited.data(), waited.size(), -1) < 0 && errno != EINTR) break;
            if (waited[2].revents != 0) answer(waited[2].revents);
            if (waited[1].revents != 0) let_go();
            if (waited[0].revents != 0) reap();
        }
        clean_up();
        say(Word::ended, word_);
        return 0;
    }

  private:
    const Policy& policy_;
    pid_t child_ = -1;
    int signals_ = -1, listener_ = -1;
    bool ended_ = false;
    EndedWord word_;

    void let_go() {
        ::kill(child_, SIGKILL);
        while (::waitpid(child_, &word_.status, 0) < 0 && errno == EINTR) {
        }
        ended_ = true;
    }

    void reap() {
        signalfd_siginfo ignored;
        while (::read(signals_, &ignored, sizeof ignored) > 0) {
        }
        int status = 0;
        for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
            if (pid != child_) continue;
            word_.status = status;
            ended_ = true;
        }
    }

    /// The program waits in a call that its filter does not allow.
    void answer(short events) {
        if ((events & POLLIN) == 0) {
            ::close(listener_); // the last that had the filter is gone
            listener_ = -1;
            return;
        }
        seccomp_notif asked{};
        if (::ioctl(listener_, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) return;
        const bool forbidden =
            std::find(policy_.forbidden.begin(), policy_.forbidden.end(), asked.data.nr) != policy_.forbidden.end();
        if (forbidden) {
            word_.forbidden = asked.data.nr;
            ::kill(child_, SIGKILL);
            return;
        }
        word_.refused = asked.data.nr;
        word_.refused_at = now();
        seccomp_notif_resp refusal{asked.id, 0, -EPERM, 0};
        ::ioctl(listener_, SECCOMP_IOCTL_NOTIF_SEND, &refusal);
    }

    void clean_up() {
        const double deadline = now() + 10;
        while (now() < deadline) {
            pid_t pid = 0;
            while ((pid = ::waitpid(-1, nullptr, WNOHANG)) > 0) ++word_.left_over;
            if (pid < 0) return; // nobody is left
            if (::getpid() == 1)
                ::kill(-1, SIGKILL);
            else {
                if (policy_.user > 0) kill_user(static_cast<uid_t>(policy_.user));
                kill_children();
            }
            const timespec moment{0, 500'000};
            ::nanosleep(&moment, nullptr);
        }
    }
};

} // namespace

int main(int count, char**) {
    const auto policy = count == 1 ? read_policy() : std::nullopt;
    if (!policy) {
        std::fputs("this program is started by assay, not by hand\n", stderr);
        return 2;
    }
    return Supervisor(*policy).supervise();
}
