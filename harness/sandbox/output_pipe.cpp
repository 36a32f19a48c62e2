#include "sandbox/output_pipe.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace assay {

namespace {

using Clock = std::chrono::steady_clock;

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

int milliseconds_until(Clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

} // namespace

void Descriptor::close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

OutputPipe::OutputPipe(int ours, int childs)
    : ours_(ours), childs_(childs), nothing_(::open("/dev/null", O_RDONLY | O_CLOEXEC)) {
    // Only our end: O_NONBLOCK on the child's would be a surprise to it.
    ::fcntl(ours, F_SETFL, O_NONBLOCK);
}

Outcome<std::unique_ptr<OutputPipe>> OutputPipe::make() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return Failure{Verdict::JE, fmt::format("no pipe for a child's output ({})", std::strerror(errno))};
    return std::unique_ptr<OutputPipe>(new OutputPipe(ends[0], ends[1]));
}

Command OutputPipe::into(const Command& command) {
    Command result = command;
    if (!names(command, 0) && nothing_.get() >= 0) result.descriptors.emplace_back(nothing_.get(), 0);
    if (!names(command, 1)) result.descriptors.emplace_back(childs_.get(), 1);
    if (!names(command, 2)) result.descriptors.emplace_back(childs_.get(), 2);
    return result;
}

bool OutputPipe::gather(int watch, const std::function<bool()>& has_ended, Clock::time_point deadline, std::size_t cap,
                        Ended& ended) {
    while (!has_ended()) {
        int wait_ms = milliseconds_until(deadline);
        if (wait_ms == 0 && Clock::now() >= deadline) return false;
        if (watch < 0) wait_ms = std::min(wait_ms, 5);
        std::array<pollfd, 2> waited{pollfd{open_ ? ours_.get() : -1, POLLIN, 0}, pollfd{watch, POLLIN, 0}};
        const int ready = ::poll(waited.data(), waited.size(), wait_ms);
        if (ready > 0 && waited[0].revents != 0) open_ = drain(ours_.get(), cap, ended);
    }
    return true;
}

void OutputPipe::finish(std::size_t cap, Ended& ended) {
    while (open_ && !ended.output_cut) {
        const std::size_t before = ended.output.size();
        open_ = drain(ours_.get(), cap, ended);
        if (ended.output.size() == before) break;
    }
}

} // namespace assay
