// Starting a worker: its channel, its environment, its limits, and the first word it says.
#include "attempt/worker_process.hpp"

#include "attempt/worker_reply.hpp"

#include "core/monotonic.hpp"
#include "wire/channel.hpp"
#include "wire/protocol.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace assay {

Outcome<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const WorkerSetup& setup, Arena& arena,
                                                             std::size_t functions) {
    std::unique_ptr<WorkerProcess> worker(new WorkerProcess(setup, arena));
    const auto [ours, theirs] = make_channel();
    int pipe_ends[2] = {-1, -1};
    if (ours < 0 || ::pipe2(pipe_ends, O_CLOEXEC) != 0) {
        if (ours >= 0) ::close(ours), ::close(theirs);
        return Failure{Verdict::JE, fmt::format("no channel to a worker could be made ({})", std::strerror(errno))};
    }
    worker->channel_ = ours;
    worker->output_ = pipe_ends[0];
    ::fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
    // One call is under way at a time, so there is always room for the next, save where an attempt answers calls that
    // it has not read: the judge must not wait for that one.
    ::fcntl(ours, F_SETFL, O_NONBLOCK);

    Command command;
    command.arguments = {setup.worker.string()};
    command.arguments.insert(command.arguments.end(), setup.options.begin(), setup.options.end());
    if (setup.timed) command.arguments.emplace_back(timed_option);
    command.arguments.push_back(setup.library.string());
    command.folder = "/";
    // The same on every machine, and nothing of ours.
    command.environment = {"PATH=/usr/bin:/bin", "HOME=/", "LANG=C.UTF-8", "TMPDIR=/tmp"};
    command.environment.insert(command.environment.end(), setup.environment.begin(), setup.environment.end());
    command.environment.push_back(fmt::format("OMP_NUM_THREADS={}", setup.threads));
    // Threads that wait by spinning use up CPU time, the limit's and a busy machine's.
    command.environment.push_back("OMP_WAIT_POLICY=passive");
    if (!setup.preload.empty()) {
        command.environment.push_back("LD_PRELOAD=" + setup.preload.string());
        // Our own signals and exits are none of LeakSanitizer's business; undefined behaviour
        // that does no harm must not hide the crash that follows.
        command.environment.push_back("ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:exitcode=99:color=never:"
                                      "detect_stack_use_after_return=1:allocator_may_return_null=1");
        if (!setup.symboliser.empty())
            command.environment.push_back("ASAN_SYMBOLIZER_PATH=" + setup.symboliser.string());
        command.environment.push_back("UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=0:color=never");
    } else if (setup.devices.empty()) {
        command.limits.memory = setup.memory; // a sanitiser's shadow would count towards it, and what CUDA reserves
    }
    command.descriptors = {
        {pipe_ends[1], 1}, {pipe_ends[1], 2}, {theirs, channel_descriptor}, {arena.descriptor(), arena_descriptor}};
    command.limits.file_bytes = most_file_bytes;
    Needs needs;
    needs.readable = setup.readable;
    needs.readable.insert(needs.readable.end(), {setup.worker, setup.library});
    if (!setup.preload.empty()) needs.readable.push_back(setup.preload);
    if (!setup.symboliser.empty()) needs.readable.push_back(setup.symboliser);
    needs.starts_programs = !setup.symboliser.empty();
    needs.memory = setup.memory;
    needs.devices = setup.devices;
    Outcome<std::unique_ptr<Confined>> program = Confined::start(command, needs, *setup.layers);
    ::close(theirs);
    ::close(pipe_ends[1]);
    if (!program) {
        worker->drain();
        Failure failure = program.failure();
        failure.detail = worker->printed_;
        return failure;
    }
    worker->program_ = std::move(*program);
    worker->cpu_ = CpuClock(worker->program_->pid());
    worker->asked_at_ = monotonic();

    const std::string what = "loading the attempt";
    Outcome<std::vector<char>> hello = worker->reply(what);
    if (!hello) return hello.failure();
    std::optional<Hello> said = read_hello(*hello, functions);
    if (!said) {
        worker->bury();
        return Failure{Verdict::RTE,
                       "while loading, the attempt wrote to the judge's channel: an attempt may not touch it"};
    }
    if (!said->loaded) {
        worker->bury();
        return Failure{Verdict::RTE, fmt::format("the attempt could not be loaded: {}", said->load_error)};
    }
    worker->has_ = std::move(said->has);
    return worker;
}

} // namespace assay
