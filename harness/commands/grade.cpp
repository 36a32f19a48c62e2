#include "commands/grade.hpp"

#include "attempt/build.hpp"
#include "catalogue/files.hpp"
#include "commands/cohort_files.hpp"
#include "commands/find_attempt.hpp"
#include "commands/isolation.hpp"
#include "commands/print.hpp"
#include "commands/progress_line.hpp"
#include "commands/run_check.hpp"
#include "commands/seeds.hpp"
#include "commands/stop_signal.hpp"
#include "core/registry.hpp"
#include "grade/fingerprint.hpp"
#include "grade/local.hpp"
#include "grade/submissions.hpp"
#include "report/cohort_table.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <map>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace assay {

namespace {

std::vector<std::string> ids_of(const GradeArguments& arguments) {
    for (const std::string& id : arguments.exercises) require_exercise(id);
    if (!arguments.exercises.empty()) return arguments.exercises;
    std::vector<std::string> ids;
    for (const std::string_view id : exercise_ids()) ids.emplace_back(id);
    return ids;
}

class Planner {
  public:
    Planner(const GradeArguments& arguments, const Seeds& seeds) : arguments_(arguments), seeds_(seeds) {}

    Plan make(const Submissions& submissions) {
        Plan plan;
        plan.compiler = arguments_.compiler;
        plan.hidden_seeds = seeds_.hidden;
        for (const Submission& one : submissions.found) plan.units.push_back(unit(one));
        if (!plan.units.empty()) plan.assay = plan.units.front().identity.assay;
        return plan;
    }

  private:
    const GradeArguments& arguments_;
    const Seeds& seeds_;
    std::map<std::pair<std::string, std::string>, Identity> shared_; // by exercise and extension

    /// All of it but the sources.
    const Identity& shared(const Submission& one) {
        const auto key = std::pair(one.exercise, one.source.extension().string());
        if (const auto found = shared_.find(key); found != shared_.end()) return found->second;
        Record record = blank_record(one.exercise, one.exercise, Verdict::SKIP, "");
        record.environment = environment_for(one.exercise, one.source, arguments_.compiler);
        record.seed = seeds_.of(one.exercise);
        return shared_.emplace(key, Identity::of(record)).first->second;
    }

    Unit unit(const Submission& submission) {
        Unit unit{submission.candidate, submission.exercise, submission.source, submission.problem, shared(submission)};
        if (unit.problem.empty()) {
            const Outcome<std::string> hash = source_hash_of(unit.source);
            if (!hash && hash.failure().verdict == Verdict::SKIP) unit.problem = hash.failure().reason;
            unit.identity.source_hash = hash ? *hash : hash.failure().reason;
        } else
            unit.identity.source_hash = unit.problem;
        return unit;
    }
};

/// What a record of a unit that could not be judged looks like.
Record blank_of(const GradeArguments& arguments, const Unit& unit, Verdict verdict, const std::string& reason) {
    const std::string source = unit.source.empty() ? unit.exercise + ".cpp" : unit.source.filename().string();
    Record record = blank_record(unit.exercise, printable(source), verdict, reason);
    record.environment = environment_for(unit.exercise, unit.source, arguments.compiler);
    record.seed = unit.identity.seed;
    if (unit.problem.empty()) record.source_hash = unit.identity.source_hash;
    return record;
}

std::vector<Fingerprinted> fingerprints(const Plan& plan) {
    std::vector<Fingerprinted> all;
    for (const Unit& unit : plan.units) {
        bool ok = false;
        const std::string text = unit.problem.empty() ? read_text(unit.source, ok, 1 << 20) : "";
        if (ok) all.push_back({unit.candidate, unit.exercise, fingerprint_of(text)});
    }
    return all;
}

/// Headers that many submissions begin with are precompiled once, before they are needed by two at a time.
void precompile(const Plan& plan, const GradeArguments& arguments) {
    std::map<std::string, std::vector<fs::path>> sources;
    for (const Unit& unit : plan.units)
        if (unit.problem.empty() && !result_of(arguments.out, unit)) sources[unit.exercise].push_back(unit.source);
    for (const auto& [exercise, files] : sources) precompile_for(exercise, files, arguments.compiler);
}

void require_place(const GradeArguments& arguments) {
    const fs::path plan = fs::path(arguments.out) / plan_name;
    std::error_code failed;
    if (fs::exists(plan, failed) && !arguments.resume)
        throw Stop(Exit::usage,
                   fmt::format("{0} holds a grading: go on with it by --resume, or name another folder with "
                               "--out",
                               printable(arguments.out)));
}

} // namespace

Exit grade_command(const GradeArguments& given) {
    GradeArguments arguments = given;
    arguments.out = (here() / given.out).lexically_normal();
    require_isolation(arguments.isolation);
    require_known_formats(arguments.formats);
    const Seeds seeds = read_seeds(arguments.seed, arguments.seed_file);
    const Outcome<Submissions> submissions =
        find_submissions(here() / arguments.submissions, ids_of(arguments), arguments.exercises);
    if (!submissions) throw Stop(Exit::usage, submissions.failure().reason);
    require_place(arguments);
    for (const std::string& note : submissions->notes) print_note(note);

    const Plan plan = Planner(arguments, seeds).make(*submissions);
    if (const std::string failed = write_text(fs::path(arguments.out) / plan_name, to_json(plan)); !failed.empty())
        throw Stop(Exit::environment, failed);
    if (const std::string failed = write_text(fs::path(arguments.out) / fingerprints_name, to_text(fingerprints(plan)));
        !failed.empty())
        throw Stop(Exit::environment, failed);
    const StopSignal stop;
    precompile(plan, arguments);

    const Style style = style_for(arguments.color, STDOUT_FILENO);
    ProgressLine progress(style);
    LocalOptions options;
    options.jobs =
        arguments.jobs > 0 ? arguments.jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    options.out = arguments.out;
    options.program = {layout().executable.native(), "grade-unit"};
    if (!arguments.compiler.empty()) options.program.insert(options.program.end(), {"--compiler", arguments.compiler});
    options.program.emplace_back("--");
    options.stop = stop.descriptor();
    options.progress = [&](const GradeProgress& now) { progress.show(now); };
    options.blank = [&](const Unit& unit, Verdict verdict, const std::string& reason) {
        return blank_of(arguments, unit, verdict, reason);
    };
    const Outcome<LocalResult> graded = grade_locally(plan, options);
    progress.clear();
    if (!graded) throw Stop(Exit::environment, graded.failure().reason);
    for (const std::string& failure : graded->failures) print_note(failure);
    if (graded->stopped) {
        print_note(fmt::format("stopped with {} of {} done; go on with: assay grade {} --out {} --resume",
                               graded->kept + graded->graded, plan.units.size(), shell_word(given.submissions),
                               shell_word(given.out)));
        std::signal(SIGINT, SIG_DFL);
        std::raise(SIGINT); // so that a shell's loop ends too
    }

    const GradedCohort cohort = read_cohort(arguments.out, plan);
    const std::vector<std::string> written = write_cohort_files(arguments.out, cohort, arguments.formats);
    print(cohort_summary(cohort, given.out, written, style));
    if (cohort.missing > 0) return Exit::environment;
    const bool all_pass = std::all_of(cohort.units.begin(), cohort.units.end(),
                                      [](const Graded& unit) { return unit.record.verdict == Verdict::AC; });
    const bool ours = std::any_of(cohort.units.begin(), cohort.units.end(),
                                  [](const Graded& unit) { return unit.record.verdict == Verdict::JE; });
    if (ours) return Exit::fault;
    return arguments.require_pass && !all_pass ? Exit::falls_short : Exit::passed;
}

} // namespace assay
