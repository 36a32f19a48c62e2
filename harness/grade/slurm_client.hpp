// Slurm's own programs: sbatch, squeue, scancel. No library of theirs, no database: what every site has.
#ifndef ASSAY_GRADE_SLURM_CLIENT_HPP
#define ASSAY_GRADE_SLURM_CLIENT_HPP

#include "core/outcome.hpp"

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct SlurmTask {
    std::string state, reason, node; // "PENDING", "JobHeldUser", ""
    bool ended() const;
    /// It waits, and nothing but a person would end that.
    bool held() const;
};

using SlurmTasks =
    std::map<std::string, SlurmTask, std::less<>>; // by "12_3", or "12" for all of an array not told apart

class SlurmClient {
  public:
    /// Failure (SKIP): a program is not on PATH.
    static Outcome<SlurmClient> find();

    /// Gives the job's id. Failure (SKIP): the reason is what sbatch said last.
    Outcome<std::string> submit(const std::vector<std::string>& arguments) const;
    /// Our tasks of jobs of this name: those that wait, run, or ended not long ago. Failure (SKIP): squeue's last
    /// words.
    Outcome<SlurmTasks> tasks(const std::string& name) const;
    /// All of ours of this name. Failure (SKIP): scancel's last words.
    Outcome<Done> cancel_all(const std::string& name) const;
    Outcome<Done> cancel(const std::vector<std::string>& tasks) const;

  private:
    std::string sbatch_, squeue_, scancel_;
};

/// Whether Slurm's last words mean that its controller could not be asked, rather than that it refused.
bool is_unreachable(std::string_view said);

/// What `squeue --format=%i|%T|%r|%N` printed.
SlurmTasks tasks_from(std::string_view text);

} // namespace assay

#endif
