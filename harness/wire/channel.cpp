#include "wire/channel.hpp"

#include <cerrno>
#include <sys/socket.h>

namespace assay {

std::pair<int, int> make_channel() {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return {-1, -1};
    return {ends[0], ends[1]};
}

bool send_message(int channel, std::span<const char> bytes) {
    if (bytes.size() > longest_message) return false;
    while (true) {
        const ssize_t sent = ::send(channel, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent >= 0) return static_cast<std::size_t>(sent) == bytes.size();
        if (errno != EINTR) return false;
    }
}

Received receive_message(int channel, std::vector<char>& bytes, bool wait) {
    char buffer[longest_message]; // on the stack and not cleared: a vector would be, for every short message
    while (true) {
        const ssize_t got = ::recv(channel, buffer, sizeof buffer, MSG_TRUNC | (wait ? 0 : MSG_DONTWAIT));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Received::nothing;
        if (got <= 0) return Received::closed; // an empty message is no message of ours
        if (static_cast<std::size_t>(got) > sizeof buffer) return Received::too_long;
        bytes.assign(buffer, buffer + got);
        return Received::message;
    }
}

} // namespace assay
