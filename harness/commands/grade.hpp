// assay grade: grades every submission below a folder; resumes where it was stopped.
#ifndef ASSAY_COMMANDS_GRADE_HPP
#define ASSAY_COMMANDS_GRADE_HPP

#include "commands/stop.hpp"
#include "core/outcome.hpp"
#include "grade/engine.hpp"
#include "report/style.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct GradeArguments {
    std::string submissions;
    std::string out = "results";
    int jobs = 0; // 0 = one a processor
    bool resume = false;
    std::vector<std::string> exercises; // empty = all
    std::vector<std::string> formats{"jsonl", "csv", "markdown", "cohort"};
    std::uint64_t seed = 0;
    std::string seed_file;
    std::string compiler;
    bool require_pass = false;
    bool speed = false;           // the timed levels too, once all is graded
    std::string isolation;        // the level that is required; "" = none
    std::string engine = "local"; // or "slurm"
    struct Slurm {
        std::string partition, account, time; // "" = the site's own
        std::vector<std::string> more;        // options of sbatch
        int shard_size = 50, rounds = 3;
        double poll_seconds = 5;
    } slurm;
    ColorMode color = ColorMode::automatic;
};

Exit grade_command(const GradeArguments& arguments);

/// assay grade-unit: what grade starts once a unit. Writes one record.
struct GradeUnitArguments {
    std::string record, exercise, source;
    std::uint64_t seed = 0;
    std::string compiler;
    ColorMode color = ColorMode::never;
};

Exit grade_unit_command(const GradeUnitArguments& arguments);

/// assay grade-shard: what a cluster's task starts.
struct GradeShardArguments {
    std::string out, shard; // the output folder, the shard's file
    ColorMode color = ColorMode::never;
};

Exit grade_shard_command(const GradeShardArguments& arguments);

class ProgressLine;
class StopSignal;

/// Throws Stop (environment) where the engine's own programs are missing.
void require_engine(const GradeArguments& arguments);

/// Grades what has no result yet, by the engine that is asked for. `arguments.out` is absolute.
Outcome<GradeResult> run_engine(const Plan& plan, const GradeArguments& arguments, const StopSignal& stop,
                                ProgressLine& progress);

} // namespace assay

#endif
