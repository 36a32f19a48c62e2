// One worker process: started, asked, watched and buried. What it dies of becomes a verdict with a reason.
#ifndef ASSAY_ATTEMPT_WORKER_PROCESS_HPP
#define ASSAY_ATTEMPT_WORKER_PROCESS_HPP

#include "attempt/arena.hpp"
#include "attempt/worker_attempt.hpp"
#include "core/device_times.hpp"
#include "core/outcome.hpp"
#include "sandbox/confined.hpp"

#include <memory>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

namespace assay {

class WorkerProcess {
  public:
    /// Starts the worker and takes its hello. `what` in failures is "loading the attempt".
    static Outcome<std::unique_ptr<WorkerProcess>> start(const WorkerSetup& setup, Arena& arena, std::size_t functions);
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    /// For each contract function, whether the attempt has it.
    const std::vector<bool>& has() const { return has_; }

    /// Sends one call of a function and waits for its end. Gives its results as numbers, in order: of a record's
    /// fields, or the ranked_results of `ranks` ranks, one after the other. After a failure the process is gone.
    /// `times`: the call is on a device and timed there.
    Outcome<std::vector<double>> call(std::span<const char> message, const Signature& function, std::int64_t ranks,
                                      DeviceTimes* times = nullptr);

    /// Seconds from sending a call to its answer, of all calls so far together.
    double spent() const { return spent_; }

    /// -1 once it is gone.
    pid_t pid() const { return program_ ? program_->pid() : -1; }

    /// What it has printed and nobody has taken yet.
    std::string take_printed();
    /// All that it has printed, to the cap.
    const std::string& all_printed() const { return printed_; }

  private:
    static constexpr std::uint64_t most_file_bytes = std::uint64_t{64} << 20; // that it may write
    WorkerProcess(const WorkerSetup& setup, Arena& arena) : setup_(setup), arena_(arena) {}
    Outcome<std::vector<char>> reply(const std::string& what);
    Outcome<std::vector<char>> take_turns(const std::string& what, DeviceTimes& times);
    Failure channel_touched();
    bool drain();
    Failure ended(const std::string& what);
    Failure over_time(const std::string& what);
    Failure over_output();
    Failure over_memory(const std::string& what);
    bool takes_too_much() const;
    Failure violation(const std::string& what, const Fate& fate) const;
    bool violated(const Fate& fate) const;
    void bury();

    WorkerSetup setup_;
    Arena& arena_;
    std::unique_ptr<Confined> program_;
    CpuClock cpu_;
    double asked_at_ = 0; // CLOCK_MONOTONIC, when the latest call was sent
    double spent_ = 0;
    std::uint64_t told_hash_ = 0; // of the outputs, when a timed call was said to be over
    int channel_ = -1;
    int output_ = -1;
    std::vector<bool> has_;
    std::string printed_;
    std::size_t taken_ = 0;
    std::size_t printed_bytes_ = 0;
};

} // namespace assay

#endif
