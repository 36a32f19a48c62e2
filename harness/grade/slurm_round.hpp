// One round of a grading by Slurm: its folder, its arrays, and what has become of its tasks.
#ifndef ASSAY_GRADE_SLURM_ROUND_HPP
#define ASSAY_GRADE_SLURM_ROUND_HPP

#include "grade/shards.hpp"
#include "grade/slurm.hpp"
#include "grade/slurm_client.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace assay {

/// A shard on its way, the task that holds it, and what is known of both.
struct Sent {
    Shard shard;
    std::string job;       // the array's id
    std::size_t index = 0; // in the array
    SlurmTask task;
    bool over = false;             // the task will do nothing more
    bool reported = false;         // its report was read
    std::vector<UnitFault> faults; // one a unit; of those without a result
    std::vector<bool> open;        // one a unit: it lacks a result, and no fault of it is known

    std::string task_id() const { return job + "_" + std::to_string(index); }
    bool any_open() const;
};

class SlurmRound {
  public:
    /// Cuts the units into shards and lays the round's folder out/slurm/round-N, N the first that is free. Failure
    /// (SKIP): it cannot be written.
    static Outcome<SlurmRound> lay(const Plan& plan, const std::vector<std::size_t>& numbers,
                                   const SlurmOptions& options);

    /// Submits what is not yet submitted, an array at a time. Failure (SKIP): what sbatch said; it may be called again.
    Outcome<Done> submit(const SlurmClient& client, const std::string& name);

    /// Enters what squeue knows; a task that it does not know has ended. Tasks that wait for a person are cancelled.
    void enter(const SlurmTasks& tasks, const SlurmClient& client);

    /// Looks for results and reports; at most `most` results are looked for, going round, and those of tasks that are
    /// said to wait only where `of_waiting`. Gives each unit that has got its result since.
    std::vector<std::size_t> sweep(std::size_t most, bool of_waiting);

    std::size_t at_work() const; // submitted tasks that are not over
    bool complete() const;       // each unit has its result
    bool unexplained() const;    // some unit has neither its result nor a fault in a report
    bool heard_of() const;       // something that a task wrote was seen
    int running() const;
    std::string waits_because() const; // where none runs: what the first waiting task waits for; ""
    /// Why the unit at `position` of this shard has no result, after its task was over.
    UnitFault fault_of(const Sent& sent, std::size_t position) const;
    const std::vector<Sent>& sent() const { return sent_; }
    const std::filesystem::path& folder() const { return folder_; }

  private:
    SlurmRound(const Plan& plan, const SlurmOptions& options) : plan_(&plan), options_(&options) {}
    const Plan* plan_;
    const SlurmOptions* options_;
    std::filesystem::path folder_;
    std::vector<Sent> sent_;
    std::size_t submitted_ = 0; // of sent_
    std::size_t cursor_ = 0;    // where the next sweep begins
    bool heard_ = false;

    void read_report(std::size_t number);
};

} // namespace assay

#endif
