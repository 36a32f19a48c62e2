// The engines as assay grade starts them, and what a cluster's task starts.
#include "catalogue/files.hpp"
#include "commands/grade.hpp"
#include "commands/grade_plan.hpp"
#include "commands/print.hpp"
#include "commands/progress_line.hpp"
#include "commands/stop_signal.hpp"
#include "grade/local.hpp"
#include "grade/shards.hpp"
#include "grade/slurm.hpp"
#include "grade/slurm_client.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace assay {

namespace {

/// The command that grades one unit, but for the unit's own arguments.
std::vector<std::string> unit_program(const std::string& compiler) {
    std::vector<std::string> program{layout().executable.native(), "grade-unit"};
    if (!compiler.empty()) program.insert(program.end(), {"--compiler", compiler});
    program.emplace_back("--");
    return program;
}

Outcome<GradeResult> run_local(const Plan& plan, const GradeArguments& arguments, const EngineOptions& common) {
    precompile_missing(plan, arguments.out);
    LocalOptions options;
    static_cast<EngineOptions&>(options) = common;
    options.jobs =
        arguments.jobs > 0 ? arguments.jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    options.program = unit_program(arguments.compiler);
    return grade_locally(plan, options);
}

Outcome<GradeResult> run_slurm(const Plan& plan, const GradeArguments& arguments, const EngineOptions& common,
                               ProgressLine& progress) {
    SlurmOptions options;
    static_cast<EngineOptions&>(options) = common;
    options.program = {layout().executable.native(), "grade-shard"};
    options.shard_size = static_cast<std::size_t>(arguments.slurm.shard_size);
    options.rounds = arguments.slurm.rounds;
    options.cpus = std::max(1, arguments.jobs);
    options.partition = arguments.slurm.partition;
    options.account = arguments.slurm.account;
    options.time = arguments.slurm.time;
    options.more = arguments.slurm.more;
    options.poll = std::chrono::milliseconds(static_cast<int>(arguments.slurm.poll_seconds * 1000));
    options.note = [&](const std::string& sentence) {
        progress.clear();
        print_note(sentence);
    };
    return grade_by_slurm(plan, options);
}

int cpus_of_task() {
    const char* set = std::getenv("SLURM_CPUS_PER_TASK");
    int cpus = 0;
    if (set != nullptr) std::from_chars(set, set + std::strlen(set), cpus);
    return std::clamp(cpus, 1, 4096);
}

std::string node_name() {
    if (const char* name = std::getenv("SLURMD_NODENAME"); name != nullptr) return name;
    char name[256] = "";
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

} // namespace

void require_engine(const GradeArguments& arguments) {
    if (arguments.engine != "slurm") return;
    if (const Outcome<SlurmClient> client = SlurmClient::find(); !client)
        throw Stop(Exit::environment, client.failure().reason);
}

Outcome<GradeResult> run_engine(const Plan& plan, const GradeArguments& arguments, const StopSignal& stop,
                                ProgressLine& progress) {
    EngineOptions common;
    common.out = arguments.out;
    common.stop = stop.descriptor();
    common.progress = [&](const GradeProgress& now) { progress.show(now); };
    common.blank = [&](const Unit& unit, Verdict verdict, const std::string& reason) {
        return blank_of(plan, unit, verdict, reason);
    };
    return arguments.engine == "slurm" ? run_slurm(plan, arguments, common, progress)
                                       : run_local(plan, arguments, common);
}

Exit grade_shard_command(const GradeShardArguments& arguments) {
    const fs::path file = here() / arguments.shard;
    bool ok = false;
    const std::string text = read_text(file, ok, std::size_t{1} << 30);
    if (!ok)
        throw Stop(Exit::environment, fmt::format("{} cannot be read on {}: the output folder must be on a file system "
                                                  "that the nodes share",
                                                  printable(file.native()), node_name()));
    const Outcome<Plan> shard = plan_from_json(text);
    if (!shard) throw Stop(Exit::usage, shard.failure().reason);
    const StopSignal stop;
    precompile_missing(*shard, arguments.out);
    IdentitiesHere identities(shard->compiler);
    ShardOptions options;
    options.out = here() / arguments.out;
    options.jobs = cpus_of_task();
    options.program = unit_program(shard->compiler);
    options.stop = stop.descriptor();
    options.node = node_name();
    options.hindrance = [&](const Unit& unit) -> std::string {
        if (::access(unit.source.c_str(), R_OK) != 0)
            return fmt::format("{} cannot be read on {}: the submissions must be where the nodes see them",
                               printable(unit.source.native()), options.node);
        try {
            const std::string difference = difference_between(unit.identity, identities.of(unit.exercise, unit.source));
            return difference.empty() ? "" : fmt::format("on {}, {}", options.node, difference);
        } catch (const Stop& missing) {
            return fmt::format("on {}, {}", options.node, missing.what());
        }
    };
    const std::string number = file.stem().string().substr(std::strlen("shard-"));
    std::size_t position = 0;
    std::from_chars(number.data(), number.data() + number.size(), position);
    const Outcome<bool> run = run_shard(*shard, report_file(file.parent_path(), position), options);
    if (!run) throw Stop(Exit::environment, run.failure().reason);
    if (!*run) throw Stop(Exit::environment, "the task was ended before it was done");
    return Exit::passed;
}

} // namespace assay
