// A slot is taken by a socket of an abstract name, which the kernel lets go of however its holder ends.
#include "sandbox/user_slot.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace assay {

namespace {

/// Whether the name was free; then `mark` holds it.
bool hold(uid_t user, int mark) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = fmt::format("assay-user-{}", user); // after a zero byte: abstract
    std::memcpy(address.sun_path + 1, name.data(), name.size());
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    return ::bind(mark, reinterpret_cast<const sockaddr*>(&address), length) == 0;
}

} // namespace

Outcome<std::unique_ptr<UserSlot>> UserSlot::take(uid_t first) {
    const int mark = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (mark < 0)
        return Failure{
            Verdict::JE, fmt::format("no socket to reserve an attempt's user ({})", std::strerror(errno)), {}};
    for (uid_t user = first; user < first + user_slots; ++user)
        if (hold(user, mark)) return std::unique_ptr<UserSlot>(new UserSlot(user, mark));
    ::close(mark);
    return Failure{Verdict::JE,
                   fmt::format("all {} users that attempts may run under ({} to {}) are taken: let some of the running "
                               "checks end",
                               user_slots, first, first + user_slots - 1),
                   {}};
}

UserSlot::~UserSlot() { ::close(mark_); }

bool can_change_user(uid_t user, const char*& why) {
    const pid_t child = ::fork();
    if (child == 0) {
        // The plain calls: libc's would reach for threads that a forked child does not have.
        const bool changed = ::syscall(SYS_setgroups, 0, nullptr) == 0 &&
                             ::syscall(SYS_setresgid, user, user, user) == 0 &&
                             ::syscall(SYS_setresuid, user, user, user) == 0;
        ::_exit(changed ? 0 : errno);
    }
    int status = 0;
    while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    why = child < 0 ? std::strerror(errno) : std::strerror(WIFEXITED(status) ? WEXITSTATUS(status) : EPERM);
    return false;
}

} // namespace assay
