// The engine for a cluster: what lacks a result goes out as Slurm job arrays over one shared folder, in rounds.
// Delivery is at least once; a result is the same whoever writes it, so twice does no harm.
#ifndef ASSAY_GRADE_SLURM_HPP
#define ASSAY_GRADE_SLURM_HPP

#include "core/outcome.hpp"
#include "grade/engine.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace assay {

struct SlurmOptions : EngineOptions {
    std::vector<std::string> program; // what a task runs, without its own arguments: the output folder and its shard
    std::size_t shard_size = 50;      // units a task
    std::size_t array_size = 1000;    // tasks an array: Slurm's own bound is indices below 1001 (MaxArraySize)
    int rounds = 3;                   // how often a unit is submitted at most
    int cpus = 1;                     // a task
    std::string partition, account, time;                         // as sbatch takes them; "" = the site's own
    std::vector<std::string> more;                                // further options of sbatch
    std::chrono::milliseconds poll{5000};                         // between two questions
    std::chrono::milliseconds patience{std::chrono::minutes(30)}; // with a controller that does not answer
    std::chrono::milliseconds settle{std::chrono::seconds(15)}; // until what a task wrote is seen from another machine
    std::function<void(const std::string& sentence)> note;      // what a person would like to know; may be empty
};

/// What jobs of this output folder are called: "assay-" and 12 hex digits.
std::string slurm_job_name(const std::filesystem::path& out);

/// Grades what has no result yet. Tasks that an earlier grader of the same folder left in the queue are cancelled
/// first. A unit that came to nothing `rounds` times is recorded as JE with the last reason. Where it is stopped, its
/// tasks are cancelled. Failure (SKIP): there is no Slurm here, its controller stays silent, it refuses the tasks, or
/// nothing that a task writes is seen here.
Outcome<GradeResult> grade_by_slurm(const Plan& plan, const SlurmOptions& options);

} // namespace assay

#endif
