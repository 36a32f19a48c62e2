// A worker that runs: calls and their ends, what it prints, and which limit it met.
#include "attempt/worker_process.hpp"

#include "attempt/worker_reply.hpp"

#include "core/monotonic.hpp"
#include "wire/channel.hpp"
#include "wire/message.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace assay {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string signal_name(int signal) {
    const char* name = ::sigabbrev_np(signal);
    return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

/// Thrown by what stands between worker and attempt in CUDA (worker/device_runs.hpp); its text says it all.
constexpr std::string_view device_fault_type = "assay::device_fault";
constexpr std::string_view device_unavailable_type = "assay::device_unavailable"; // no fault of the attempt's

} // namespace

WorkerProcess::~WorkerProcess() { bury(); }

void WorkerProcess::bury() {
    program_.reset();
    if (output_ >= 0) drain();
    if (channel_ >= 0) ::close(channel_);
    if (output_ >= 0) ::close(output_);
    channel_ = output_ = -1;
}

/// Takes what the pipe holds; false once the worker has printed more than it may.
bool WorkerProcess::drain() {
    std::array<char, 16384> buffer;
    while (printed_bytes_ <= setup_.output_bytes) {
        const ssize_t got = ::read(output_, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return true;
        printed_bytes_ += static_cast<std::size_t>(got);
        const std::size_t room = setup_.output_bytes - std::min(setup_.output_bytes, printed_.size());
        printed_.append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
    }
    return false;
}

std::string WorkerProcess::take_printed() {
    if (output_ >= 0) drain();
    std::string text = printed_.substr(taken_);
    taken_ = printed_.size();
    return text;
}

Failure WorkerProcess::over_output() {
    bury();
    return {Verdict::OLE, fmt::format("it printed more than the {} KiB allowed: remove the prints in its loops",
                                      setup_.output_bytes >> 10)};
}

Failure WorkerProcess::over_time(const std::string& what) {
    bury();
    return {
        Verdict::TLE,
        fmt::format("{} did not end within {:g} s of CPU time ({:g} s by the clock): look for a loop that never ends",
                    what, setup_.cpu_seconds, 3 * setup_.cpu_seconds)};
}

Failure WorkerProcess::over_memory(const std::string& what) {
    bury();
    return {Verdict::MLE, fmt::format("{} took more memory than the {} MiB allowed", what, setup_.memory >> 20)};
}

/// Where no cgroup bounds it: RLIMIT_DATA does not count memory that could be shared.
bool WorkerProcess::takes_too_much() const {
    if (setup_.memory == 0 || setup_.layers->has(Layer::cgroup)) return false;
    return resident_bytes(program_->pid()) > setup_.memory + arena_.used_bytes() + (std::uint64_t{64} << 20);
}

bool WorkerProcess::violated(const Fate& fate) const {
    const bool killed = WIFSIGNALED(fate.status) && WTERMSIG(fate.status) == SIGSYS;
    return !fate.known || !fate.forbidden.empty() || killed || (!fate.refused.empty() && fate.refused_at >= asked_at_);
}

Failure WorkerProcess::violation(const std::string& what, const Fate& fate) const {
    const auto because = [&](const std::string& why) -> Failure {
        return {Verdict::SV, fmt::format("{} {}", what, why)};
    };
    if (!fate.known) return because("ended the process that watches over it: an attempt may end itself alone");
    if (!fate.forbidden.empty())
        return because(
            fmt::format("made the system call {}, which no attempt may: it was ended there", fate.forbidden));
    if (WIFSIGNALED(fate.status) && WTERMSIG(fate.status) == SIGSYS)
        return because("made a system call that no attempt may (one of another architecture, or into the kernel's "
                       "inside): it was ended there");
    const std::string end = WIFEXITED(fate.status) ? fmt::format("called exit({})", WEXITSTATUS(fate.status))
                                                   : fmt::format("died of {}", signal_name(WTERMSIG(fate.status)));
    const bool process = fate.refused == "clone" || fate.refused == "fork" || fate.refused == "vfork";
    return because(fmt::format("was refused the system call {}{} and {}: an attempt computes, it may not reach for "
                               "other processes, files or the network",
                               fate.refused, process ? " (a process of its own)" : "", end));
}

/// The channel is closed: how did it end? Words for the signal come from the control page, the verdict from the kernel.
Failure WorkerProcess::ended(const std::string& what) {
    const std::optional<Fate> fate = program_->ended(std::chrono::milliseconds(500));
    const ControlPage control = arena_.control();
    if (!fate) {
        bury();
        return {Verdict::RTE,
                fmt::format("during {}, it closed the judge's channel and went on: an attempt may not touch it", what)};
    }
    bury();
    if (fate->out_of_memory) return over_memory(what);
    if (violated(*fate)) return violation(what, *fate);
    const int status = fate->status;
    if (WIFEXITED(status))
        return {Verdict::RTE,
                fmt::format("{} called exit({}) before it had answered: return instead", what, WEXITSTATUS(status))};
    const int signal = WTERMSIG(status);
    if (signal == SIGXFSZ)
        return {Verdict::OLE, fmt::format("{} wrote a file of more than {} MiB", what, most_file_bytes >> 20)};
    const bool noted = control.signal == signal;
    if ((noted && control.error_number == ENOMEM) ||
        (signal == SIGABRT && printed_.find("std::bad_alloc") != std::string::npos))
        return {Verdict::MLE, fmt::format("{} asked for more memory than the {} MiB allowed and died of {}", what,
                                          setup_.memory >> 20, signal_name(signal))};
    std::string why;
    if (noted && control.stack_overflow != 0)
        why = ": its stack overflowed (endless recursion, or a large local array)";
    else if (noted && control.in_arena != 0) {
        const std::string place = arena_.describe(control.arena_offset);
        why = place.empty() ? ": it touched memory of an earlier call" : ": it touched memory " + place;
    } else if (noted && signal == SIGSEGV && control.address < 65536)
        why = ": it read or wrote through a null pointer";
    else if (signal == SIGFPE)
        why = ": an integer division by zero";
    else if (signal == SIGABRT)
        why = ": abort() or a failed assertion, or an exception where none may leave";
    return {Verdict::RTE, fmt::format("{} died of {}{}", what, signal_name(signal), why)};
}

Outcome<std::vector<char>> WorkerProcess::reply(const std::string& what) {
    const auto start = Clock::now();
    const double cpu_before = std::max(0.0, cpu_.seconds());
    std::vector<char> message;
    while (true) {
        // CPU time cannot exceed the limit before threads x limit has passed on the clock.
        const double elapsed = seconds_since(start);
        double wait = 0.02;
        if (const double first = setup_.cpu_seconds / std::max(1, setup_.threads); elapsed < first)
            wait = setup_.layers->has(Layer::cgroup) ? first - elapsed : std::min(first - elapsed, 0.05);
        std::array<pollfd, 2> waiting{pollfd{channel_, POLLIN, 0}, pollfd{output_, POLLIN, 0}};
        const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(wait * 1000) + 1);
        if (ready < 0 && errno != EINTR) {
            bury();
            return Failure{Verdict::JE,
                           fmt::format("the judge could not wait for the worker ({})", std::strerror(errno))};
        }
        if ((waiting[1].revents & POLLIN) != 0 && !drain()) return over_output();
        if ((waiting[0].revents & (POLLIN | POLLHUP)) != 0) {
            switch (receive_message(channel_, message, false)) {
            case Received::message: return message;
            case Received::closed: return ended(what);
            case Received::too_long: return channel_touched();
            case Received::nothing: break;
            }
        }
        if (takes_too_much()) return over_memory(what);
        const double passed = seconds_since(start);
        if (passed >= setup_.cpu_seconds / std::max(1, setup_.threads) &&
            (passed > 3 * setup_.cpu_seconds || cpu_.seconds() - cpu_before > setup_.cpu_seconds))
            return over_time(what);
    }
}

Failure WorkerProcess::channel_touched() {
    bury();
    return {Verdict::RTE, "the attempt wrote to the judge's channel: an attempt may not touch it"};
}

/// Follows a call's two turns, by the judge's clock, up to its answer. A call that ends otherwise (by an exception) is
/// answered before they are over.
Outcome<std::vector<char>> WorkerProcess::take_turns(const std::string& what, DeviceTimes& times) {
    Writer go;
    go.integer(static_cast<std::int64_t>(Turn::go));
    Outcome<std::vector<char>> said = reply(what);
    for (DeviceTurn* turn : {&times.empty, &times.call}) {
        if (!said || !is_ready(*said)) return said;
        const double begun = monotonic();
        if (!send_message(channel_, go.bytes())) return ended(what);
        said = reply(what);
        const double judge = monotonic() - begun;
        if (!said) return said;
        const std::optional<DeviceTurn> told = read_turn(*said);
        if (!told) return said;
        *turn = *told;
        turn->judge = judge;
        if (turn == &times.call) told_hash_ = arena_.outputs_hash();
        said = reply(what);
    }
    return said;
}

Outcome<std::vector<double>> WorkerProcess::call(std::span<const char> message, const Signature& function,
                                                 std::int64_t ranks, DeviceTimes* times) {
    const std::string& what = function.name;
    if (message.size() > longest_message)
        return Failure{Verdict::JE, fmt::format("the call of {} is longer than a message may be", what)};
    asked_at_ = monotonic();
    if (!send_message(channel_, message)) return ended(what);
    const Outcome<std::vector<char>> answer = times != nullptr ? take_turns(what, *times) : reply(what);
    spent_ += monotonic() - asked_at_;
    if (!answer) return answer.failure();
    const std::optional<Reply> said = read_reply(*answer, function, ranks);
    const bool untimed = times != nullptr && !(times->call.judge > 0); // it answered without a turn
    if (!said || (untimed && said->status == Status::done)) return channel_touched();
    const std::string &type = said->type, &text = said->text;
    switch (said->status) {
    case Status::done:
        if (times == nullptr || arena_.outputs_hash() == told_hash_) return said->results;
        bury();
        return Failure{Verdict::RTE, fmt::format("{} wrote results after it was said to be over: an attempt may not "
                                                 "touch the judge's channel, nor leave work behind",
                                                 what)};
    case Status::no_memory:
        bury();
        // A negative or absurd length throws a child of bad_alloc without any memory being short.
        if (type != "std::bad_alloc" && type != "MemoryError")
            return Failure{Verdict::RTE, fmt::format("{} let {} escape: {}", what, type, text)};
        return Failure{Verdict::MLE, fmt::format("{} asked for more memory than the {} MiB allowed ({})", what,
                                                 setup_.memory >> 20, type)};
    case Status::exception:
        bury();
        // Any attempt can throw by that name, and must not choose to be ours to mend.
        if (type == device_unavailable_type && !setup_.devices.empty())
            return Failure{Verdict::JE, fmt::format("{}: {}", what, text)};
        if (type == device_fault_type) return Failure{Verdict::RTE, fmt::format("{}: {}", what, text)};
        return Failure{Verdict::RTE, text.empty() ? fmt::format("{} let an exception of type {} escape", what, type)
                                                  : fmt::format("{} let {} escape: {}", what, type, text)};
    // Never asked for a function that is not there, and never in other words than its own contract's: who says so is
    // the attempt, which must not choose to be somebody else's fault.
    case Status::missing:
    case Status::bad_message: break;
    }
    bury();
    return Failure{Verdict::RTE,
                   fmt::format("in place of {}'s answer, the judge was told that it could not be called ({}): an "
                               "attempt may not touch the judge's channel",
                               what, text.empty() ? "for no reason" : text)};
}

} // namespace assay
