#include "commands/demo.hpp"

#include "catalogue/embedded.hpp"
#include "catalogue/files.hpp"
#include "commands/grade.hpp"
#include "commands/isolation.hpp"
#include "commands/print.hpp"
#include "commands/run_check.hpp"
#include "commands/scratch_folder.hpp"
#include "core/registry.hpp"
#include "grade/plan.hpp"
#include "report/json.hpp"
#include "report/terminal.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

namespace fs = std::filesystem;

namespace assay {

namespace {

/// A bundled attempt, who hands it in, and what it must be told: otherwise the demonstration itself is at fault.
struct Act {
    std::string_view candidate, exercise, text;
    Verdict verdict;
    std::string_view mistake = {};
    Verdict unfiltered = verdict; // where no filter of system calls works
};
constexpr Act acts[] = {
    {"ada", "memory", "solutions/memory/solution.cpp", Verdict::AC},
    {"ada", "roofline", "solutions/roofline/solution.cpp", Verdict::AC},
    {"ada", "sdpa", "demo/sdpa/right.cpp", Verdict::AC},
    {"bob", "roofline", "exercises/roofline/starter.cpp", Verdict::WA},
    {"bob", "sdpa", "demo/sdpa/wrong-axis.cpp", Verdict::WA, "softmax-over-queries"},
    {"cora", "sdpa", "demo/sdpa/unguarded-masked-row.cpp", Verdict::WA, "empty-row-nan"},
    {"dan", "sdpa", "demo/sdpa/unfinished.cpp", Verdict::CE},
    {"eve", "sdpa", "demo/sdpa/looks-around.cpp", Verdict::SV, {}, Verdict::RTE},
};
constexpr const Act& shown = acts[5];

fs::path source_of(const Act& act, const fs::path& submissions) {
    return submissions / act.candidate / (std::string(act.exercise) + ".cpp");
}

void lay(const fs::path& submissions) {
    for (const Act& act : acts) {
        const auto text = embedded(act.text);
        if (!text || find_exercise(act.exercise) == nullptr)
            throw Stop(Exit::fault, fmt::format("{} is missing from this build of Assay", act.text));
        if (const std::string reason = write_text(source_of(act, submissions), *text); !reason.empty())
            throw Stop(Exit::environment, reason);
    }
}

bool as_expected(const Act& act, const Record& record) {
    if (record.verdict != act.verdict && record.verdict != act.unfiltered) return false;
    return act.mistake.empty() ||
           std::any_of(record.diagnoses.begin(), record.diagnoses.end(),
                       [&](const Diagnosis& diagnosis) { return diagnosis.mistake == act.mistake; });
}

/// What was told otherwise than it should be, a sentence each.
std::vector<std::string> surprises(const fs::path& results) {
    std::vector<std::string> all;
    for (const Act& act : acts) {
        Unit unit;
        unit.candidate = act.candidate;
        unit.exercise = act.exercise;
        bool ok = false;
        const Outcome<Record> record = record_from_json(read_text(results / unit.record_path(), ok));
        if (!record || !as_expected(act, *record))
            all.push_back(fmt::format("{}'s {} should have been {}{}", act.candidate, act.exercise,
                                      meaning(act.verdict),
                                      act.mistake.empty() ? "" : fmt::format(", named {}", act.mistake)));
    }
    return all;
}

void head(const Style& style, std::string_view text) {
    print(fmt::format("{}\n{}\n\n", style.bold(std::string(text)),
                      style.dim(std::string(static_cast<std::size_t>(style.width), '-'))));
}

void explain_one(const fs::path& submissions, const DemoArguments& arguments, const Style& style) {
    head(style, "1. One wrong attempt, as its author sees it: assay check sdpa");
    CheckRequest request;
    request.exercise = shown.exercise;
    request.source = source_of(shown, submissions);
    request.compiler = arguments.compiler;
    const Checked checked = run_check(request);
    TerminalOptions options;
    options.style = style;
    options.advice = false; // it is not theirs to mend
    options.compiler_output = checked.diagnostics;
    print(to_terminal(checked.record, options) + "\n");
}

} // namespace

Exit demo_command(const DemoArguments& arguments) {
    require_isolation(arguments.isolation);
    ScratchFolder folder;
    folder.keep(); // the reports are there to be read
    const fs::path submissions = folder.path() / "submissions", results = folder.path() / "results";
    lay(submissions);
    const Style style = style_for(arguments.color, STDOUT_FILENO);
    explain_one(submissions, arguments, style);
    head(style, "2. A cohort, strangers' code among it: assay grade submissions");
    GradeArguments grading;
    grading.submissions = submissions.native();
    grading.out = results.native();
    grading.formats = {"jsonl", "csv", "markdown", "cohort", "junit"};
    grading.compiler = arguments.compiler;
    grading.color = arguments.color;
    const Exit graded = grade_command(grading);
    const std::vector<std::string> wrong = surprises(results);
    for (const std::string& surprise : wrong) print(style.paint(Paint::yellow, surprise + ".") + "\n");
    if (!wrong.empty() || graded != Exit::passed)
        throw Stop(Exit::fault, "the demonstration did not come out as it should; please report this");
    print("\nBegin your own: assay start sdpa. Or mend a colleague's code: assay hunt sdpa.\n");
    return Exit::passed;
}

} // namespace assay
