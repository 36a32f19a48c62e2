#include "commands/grade.hpp"

#include "catalogue/files.hpp"
#include "commands/cohort_files.hpp"
#include "commands/find_attempt.hpp"
#include "commands/grade_plan.hpp"
#include "commands/grade_speed.hpp"
#include "commands/isolation.hpp"
#include "commands/print.hpp"
#include "commands/progress_line.hpp"
#include "commands/seeds.hpp"
#include "commands/stop_signal.hpp"
#include "core/registry.hpp"
#include "grade/fingerprint.hpp"
#include "report/cohort_table.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
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

std::vector<Fingerprinted> fingerprints(const Plan& plan) {
    std::vector<Fingerprinted> all;
    for (const Unit& unit : plan.units) {
        bool ok = false;
        const std::string text = unit.problem.empty() ? read_text(unit.source, ok, 1 << 20) : "";
        if (ok) all.push_back({unit.candidate, unit.exercise, fingerprint_of(text)});
    }
    return all;
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

/// After the grading, when nothing else of ours runs.
void time_here(const Plan& plan, const GradeArguments& arguments, const StopSignal& stop, ProgressLine& progress) {
    const std::vector<std::string> failures = time_accepted(
        plan, arguments.out, [&] { return stop.given(); },
        [&](std::size_t done, std::size_t all) {
            GradeProgress now;
            now.done = done;
            now.all = all;
            now.running = 1;
            progress.show(now);
        });
    progress.clear();
    for (const std::string& failure : failures) print_note(failure);
}

} // namespace

Exit grade_command(const GradeArguments& given) {
    GradeArguments arguments = given;
    arguments.out = (here() / given.out).lexically_normal();
    require_isolation(arguments.isolation);
    require_known_formats(arguments.formats);
    require_engine(arguments);
    const Seeds seeds = read_seeds(arguments.seed, arguments.seed_file);
    const Outcome<Submissions> submissions =
        find_submissions(here() / arguments.submissions, ids_of(arguments), arguments.exercises);
    if (!submissions) throw Stop(Exit::usage, submissions.failure().reason);
    require_place(arguments);
    for (const std::string& note : submissions->notes) print_note(note);

    const Plan plan = make_plan(*submissions, seeds, arguments.compiler);
    if (const std::string failed = write_text(fs::path(arguments.out) / plan_name, to_json(plan)); !failed.empty())
        throw Stop(Exit::environment, failed);
    if (const std::string failed = write_text(fs::path(arguments.out) / fingerprints_name, to_text(fingerprints(plan)));
        !failed.empty())
        throw Stop(Exit::environment, failed);
    const StopSignal stop;
    const Style style = style_for(arguments.color, STDOUT_FILENO);
    ProgressLine progress(style);
    const Outcome<GradeResult> graded = run_engine(plan, arguments, stop, progress);
    progress.clear();
    if (!graded) throw Stop(Exit::environment, graded.failure().reason);
    for (const std::string& failure : graded->failures) print_note(failure);
    if (arguments.speed && !graded->stopped) time_here(plan, arguments, stop, progress);
    if (graded->stopped || (arguments.speed && stop.given())) {
        print_note(fmt::format(
            "stopped with {} of {} done; go on with: assay grade {} --out {}{} --resume", graded->kept + graded->graded,
            plan.units.size(), shell_word(given.submissions), shell_word(given.out),
            std::string(given.engine == "slurm" ? " --engine slurm" : "") + (given.speed ? " --speed" : "")));
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
