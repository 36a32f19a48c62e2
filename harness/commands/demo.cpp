#include "commands/demo.hpp"

#include "catalogue/embedded.hpp"
#include "catalogue/files.hpp"
#include "commands/isolation.hpp"
#include "commands/print.hpp"
#include "commands/run_check.hpp"
#include "commands/scratch_folder.hpp"
#include "core/registry.hpp"
#include "report/failure.hpp"
#include "report/terminal.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <fmt/format.h>
#include <future>
#include <string_view>
#include <unistd.h>

namespace assay {

namespace {

/// A bundled attempt, and what it must be told: otherwise the demonstration itself is at fault.
struct Act {
    std::string_view file, about;
    Verdict verdict;
    std::string_view mistake;
};
constexpr std::array<Act, 3> acts{{
    {"right.cpp", "a right answer", Verdict::AC, ""},
    {"unguarded-masked-row.cpp", "softmax without a guard for rows that may attend nothing", Verdict::WA,
     "empty-row-nan"},
    {"wrong-axis.cpp", "softmax over the wrong axis", Verdict::WA, "softmax-over-queries"},
}};

bool as_expected(const Act& act, const Record& record) {
    if (record.verdict != act.verdict) return false;
    if (act.mistake.empty()) return record.diagnoses.empty();
    return std::any_of(record.diagnoses.begin(), record.diagnoses.end(),
                       [&](const Diagnosis& diagnosis) { return diagnosis.mistake == act.mistake; });
}

Checked play(const Act& act, const std::filesystem::path& folder, const std::string& compiler) {
    const auto text = embedded(fmt::format("demo/sdpa/{}", act.file));
    if (!text) throw Stop(Exit::fault, fmt::format("demo/sdpa/{} is missing from this build of Assay", act.file));
    CheckRequest request;
    request.exercise = "sdpa";
    request.source = folder / act.file;
    request.compiler = compiler;
    if (const std::string reason = write_text(request.source, *text); !reason.empty())
        throw Stop(Exit::environment, reason);
    return run_check(request);
}

} // namespace

Exit demo_command(const DemoArguments& arguments) {
    require_isolation(arguments.isolation);
    if (find_exercise("sdpa") == nullptr)
        throw Stop(Exit::fault, "the exercise sdpa is missing from this build of Assay");
    const ScratchFolder folder;
    TerminalOptions options;
    options.style = style_for(arguments.color, STDOUT_FILENO);
    options.advice = false; // the files are gone when it is read
    std::vector<std::future<Checked>> running;
    for (const Act& act : acts)
        running.push_back(std::async(std::launch::async, play, act, folder.path(), arguments.compiler));
    int surprises = 0;
    for (std::size_t i = 0; i < acts.size(); ++i) {
        const Act& act = acts[i];
        const Checked checked = running[i].get();
        print(fmt::format("{}\n{}\n\n", options.style.bold(fmt::format("{}. {}: {}", i + 1, act.file, act.about)),
                          options.style.dim(std::string(static_cast<std::size_t>(options.style.width), '-'))));
        options.compiler_output = checked.diagnostics;
        print(to_terminal(checked.record, options) + "\n");
        if (as_expected(act, checked.record)) continue;
        ++surprises;
        print(options.style.paint(Paint::yellow,
                                  fmt::format("This should have been {}{}.", meaning(act.verdict),
                                              act.mistake.empty() ? "" : fmt::format(", named {}", act.mistake))) +
              "\n\n");
    }
    if (surprises > 0)
        throw Stop(Exit::fault, fmt::format("{} did not get what it should; please report this",
                                            counted(surprises, "bundled attempt")));
    print("Begin your own: assay start sdpa\n");
    return Exit::passed;
}

} // namespace assay
