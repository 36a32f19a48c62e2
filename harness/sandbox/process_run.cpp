// Runs a child to its end: gathers its output up to a cap, watches the clock, and leaves nobody of its group behind.
#include "sandbox/confined.hpp"
#include "sandbox/output_pipe.hpp"
#include "sandbox/process.hpp"

#include <cerrno>
#include <csignal>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

namespace assay {

namespace {

using Clock = std::chrono::steady_clock;

/// Whether the child has ended, without reaping it: its number stays taken, so its group can still be addressed.
bool has_ended(pid_t pid) {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

void enter(int status, Clock::time_point begun, Ended& ended) {
    ended.exited = WIFEXITED(status);
    if (ended.exited) ended.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
    ended.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
}

} // namespace

Outcome<Ended> run(const Command& command, std::chrono::milliseconds wall_limit, std::size_t output_cap) {
    const Outcome<std::unique_ptr<OutputPipe>> output = OutputPipe::make();
    if (!output) return output.failure();
    OutputPipe& pipe = **output;
    const Clock::time_point begun = Clock::now(), deadline = begun + wall_limit;
    const Outcome<pid_t> started = start(pipe.into(command));
    if (!started) return started.failure();
    const pid_t pid = *started;
    pipe.close_childs_end();
    // Without a pidfd (kernels before 5.3) the end is looked for every few milliseconds.
    const Descriptor watch(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0u)));

    Ended ended;
    ended.timed_out = !pipe.gather(
        watch.get(), [&] { return has_ended(pid); }, deadline, output_cap, ended);
    ::kill(-pid, SIGKILL); // descendants that outlived it, or all of them at the deadline
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    pipe.finish(output_cap, ended);
    enter(status, begun, ended);
    return ended;
}

Outcome<Ended> run(const Command& command, const Needs& needs, const Layers& layers,
                   std::chrono::milliseconds wall_limit, std::size_t output_cap) {
    const Outcome<std::unique_ptr<OutputPipe>> output = OutputPipe::make();
    if (!output) return output.failure();
    OutputPipe& pipe = **output;
    const Clock::time_point begun = Clock::now(), deadline = begun + wall_limit;
    const Outcome<std::unique_ptr<Confined>> started = Confined::start(pipe.into(command), needs, layers);
    pipe.close_childs_end();
    Ended ended;
    if (!started) {
        Failure failure = started.failure();
        pipe.finish(output_cap, ended); // what bubblewrap says
        failure.detail = ended.output;
        return failure;
    }
    Confined& program = **started;
    const auto over = [&] { return program.ended().has_value(); };
    ended.timed_out = !pipe.gather(program.leash(), over, deadline, output_cap, ended);
    const Fate fate = program.kill();
    pipe.finish(output_cap, ended);
    if (!fate.known && !ended.timed_out)
        return Failure{Verdict::JE, command.arguments[0] + " ended together with its supervisor, without a word", {}};
    enter(fate.status, begun, ended);
    ended.output = program.in_our_words(std::move(ended.output));
    ended.forbidden = fate.forbidden;
    ended.out_of_memory = fate.out_of_memory;
    return ended;
}

} // namespace assay
