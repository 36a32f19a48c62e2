#include "sandbox/leash.hpp"

#include "sandbox/filter.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace assay {

namespace {

template <class Body> Body body_of(const std::string& message) {
    Body body{};
    std::memcpy(&body, message.data() + 1, std::min(sizeof body, message.size() - 1));
    return body;
}

} // namespace

std::pair<int, int> make_leash() {
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return {-1, -1};
    const int on = 1;
    ::setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
    return {ends[0], ends[1]};
}

Heard hear(int leash, int wait_ms) {
    Heard heard;
    pollfd waited{leash, POLLIN, 0};
    int ready = 0;
    while ((ready = ::poll(&waited, 1, wait_ms)) < 0 && errno == EINTR) {
    }
    if (ready <= 0) return heard;
    std::array<char, 512> text{};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> control{};
    iovec part{text.data(), text.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = ::recvmsg(leash, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    heard.closed = got <= 0;
    if (heard.closed) return heard;
    for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr; one = CMSG_NXTHDR(&message, one)) {
        if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_CREDENTIALS) continue;
        ucred who{};
        std::memcpy(&who, CMSG_DATA(one), sizeof who);
        heard.sender = who.pid;
    }
    heard.message.assign(text.data(), static_cast<std::size_t>(got));
    return heard;
}

std::string failure_of(const Heard& heard) {
    const std::size_t head = std::min(heard.message.size(), 1 + sizeof(FailedWord));
    return fmt::format("failed to {} ({})", heard.message.substr(head),
                       std::strerror(body_of<FailedWord>(heard.message).error));
}

Fate fate_of(const Heard& heard) {
    const auto word = body_of<EndedWord>(heard.message);
    Fate fate;
    fate.known = true;
    fate.status = word.status;
    if (word.forbidden >= 0) fate.forbidden = system_call_name(word.forbidden);
    if (word.refused >= 0) fate.refused = system_call_name(word.refused);
    fate.refused_at = word.refused_at;
    fate.left_over = word.left_over;
    return fate;
}

} // namespace assay
