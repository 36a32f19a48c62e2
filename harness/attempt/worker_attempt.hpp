// A candidate's compiled code as an Attempt: each answer is asked of a worker process that holds the code, across a
// socket and a shared arena. The judge never loads it.
#ifndef ASSAY_ATTEMPT_WORKER_ATTEMPT_HPP
#define ASSAY_ATTEMPT_WORKER_ATTEMPT_HPP

#include "core/attempt.hpp"
#include "core/exercise.hpp"
#include "sandbox/layers.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace assay {

struct WorkerSetup {
    std::filesystem::path worker;                // the exercise's worker program, or an interpreter
    std::vector<std::string> options;            // of the worker, before the library
    std::vector<std::string> environment;        // beside the clean one
    std::filesystem::path library;               // the attempt
    std::filesystem::path preload;               // sanitised: the sanitiser's run-time; else ""
    std::filesystem::path symboliser;            // the program that this starts for the lines of its report; "" = none
    std::vector<std::filesystem::path> readable; // what the worker needs to read beside the system's libraries
    std::vector<std::filesystem::path> devices;  // as /dev/nvidia0: to read, write and control
    double cpu_seconds = 2;                      // a call; wall time is three times it
    std::uint64_t memory = std::uint64_t{1} << 30;
    std::size_t output_bytes = 256 << 10; // all that it may print
    bool timed = false;                   // its calls are on a device, and timed there
    int threads = 2;
    const Layers* layers = &layers_here(); // of isolation
};

class WorkerAttempt final : public Attempt {
  public:
    WorkerAttempt(const Exercise& exercise, WorkerSetup setup);
    ~WorkerAttempt() override;

    /// Starts a worker and asks which contract functions the library lacks (names). Failure: it could not be loaded
    /// (RTE: a constructor crashed or exited; JE: the worker itself).
    Outcome<std::vector<std::string>> missing_functions();

    void fresh() override;
    Outcome<Answer> answer(const Level& level, const Problem& problem) override;
    Outcome<std::int64_t> peak_bytes(const Level& level, const Problem& problem) override;

    /// Seconds by the judge's clock that a call takes which does nothing, with the tensors of the latest one.
    Outcome<double> empty_call();
    std::string printed() override;

    /// Seconds by the judge's clock that all calls so far took.
    double spent() const;

    /// Everything the last ended worker wrote to standard error, for a sanitiser's report.
    const std::string& last_words() const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace assay

#endif
