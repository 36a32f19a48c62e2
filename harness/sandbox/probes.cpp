#include "sandbox/probes.hpp"

#include "sandbox/bubblewrap.hpp"
#include "sandbox/confined.hpp"
#include "sandbox/filter.hpp"
#include "sandbox/landlock.hpp"
#include "sandbox/own_filter.hpp"
#include "sandbox/system_files.hpp"
#include "sandbox/user_slot.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace assay {

namespace {

/// Runs `body` in a child, which exits with what it returns. Gives the status as waitpid does, -1 where there was no
/// child. `body` may make system calls only: other threads' locks stay locked in the child for ever.
template <class Body> int in_child(Body body) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? body() : EPERM);
    int status = -1;
    while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

std::string ending(int status) {
    if (status >= 0 && WIFEXITED(status)) return std::strerror(WEXITSTATUS(status));
    if (status >= 0 && WIFSIGNALED(status)) return fmt::format("the probe died of signal {}", WTERMSIG(status));
    return "no process for a probe";
}

bool exited_well(int status) { return status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0; }

} // namespace

uid_t probe_user(std::string& why) {
    if (::geteuid() != 0) {
        why = "Assay does not run as root: attempts run under your own user";
        return 0;
    }
    const char* error = "";
    if (can_change_user(first_slot_user, error)) return first_slot_user;
    why = fmt::format("a process cannot become user {} ({})", first_slot_user, error);
    return 0;
}

int probe_landlock(std::string& why) {
    const int version = landlock_version();
    if (version == 0) {
        why = errno == ENOSYS       ? "the kernel has none (5.13 or newer does)"
              : errno == EOPNOTSUPP ? "the kernel has it, but switched off at boot"
                                    : fmt::format("it cannot be asked for ({})", std::strerror(errno));
        return 0;
    }
    const std::vector<FileRule> only_devices{{"/dev/null", FileRule::Kind::device}};
    const int status = in_child([&] {
        if (const int error = restrict_files(version, only_devices); error != 0) return error;
        const bool kept = ::open("/dev/null", O_RDWR) >= 0;
        const bool denied = ::open("/proc/self/status", O_RDONLY) < 0 && errno == EACCES;
        return kept && denied ? 0 : ENOTSUP;
    });
    if (exited_well(status)) return version;
    why = fmt::format("it did not keep a process from a file ({})", ending(status));
    return 0;
}

bool probe_seccomp(bool& asks, std::string& why) {
    const Filter& kills = filter_for(false, false);
    const Filter& asking = filter_for(false, true);
    int listener = -1;
    const int refused = in_child([&] {
        if (const int error = install_own_filter(true); error != 0) return error;
        if (const int error = install_filter(kills.program, false, listener); error != 0) return error;
        return ::socket(AF_UNIX, SOCK_STREAM, 0) < 0 && errno == EPERM ? 0 : ENOTSUP;
    });
    if (kills.program.empty() || !exited_well(refused)) {
        why = kills.program.empty() ? "libseccomp could not make a filter"
                                    : fmt::format("the kernel takes no filter ({})", ending(refused));
        return false;
    }
    const int killed = in_child([&] {
        install_filter(kills.program, false, listener);
        return static_cast<int>(::syscall(SYS_keyctl, 0, 0, 0)) == 0 ? ENOTSUP : errno;
    });
    if (killed < 0 || !WIFSIGNALED(killed) || WTERMSIG(killed) != SIGSYS) {
        why = fmt::format("its filter did not end a process ({})", ending(killed));
        return false;
    }
    // Nobody answers here, so the child makes no call that it would ask for.
    asks = exited_well(in_child([&] { return install_filter(asking.program, true, listener); }));
    return true;
}

Bubblewrap probe_bubblewrap(const Layers& others, std::string& why) {
    Bubblewrap how;
    for (const char* program : {"/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"})
        if (how.program.empty() && ::access(program, X_OK) == 0) how.program = program;
    if (how.program.empty()) {
        why = "it is not installed";
        return how;
    }
    how.user_space = ::geteuid() != 0;
    // assay-confine itself is what is run: it links nothing, and without a policy it ends with 2.
    const Command command{{confine_inside}, {}, "/", {}, {}};
    Needs needs;
    needs.readable = {confine_inside};
    for (const bool proc : {true, false})
        for (const bool no_more : {true, false}) {
            if (no_more && !how.user_space) continue;
            Layers layers = others;
            how.proc = proc;
            how.no_more_user_spaces = no_more;
            layers.bubblewrap = how;
            const Outcome<Ended> ended = run(command, needs, layers, std::chrono::seconds(20), 4096);
            if (ended && ended->exited && ended->exit_code == 2) return how;
            if (!why.empty()) continue;
            const std::string said = ended ? ended->output : ended.failure().detail;
            why = said.empty() && !ended ? ended.failure().reason : said;
        }
    while (!why.empty() && why.back() == '\n') why.pop_back();
    std::replace(why.begin(), why.end(), '\n', ' ');
    return {};
}

} // namespace assay
