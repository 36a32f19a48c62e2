#include "report/github.hpp"

#include "report/cohort_table.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay {

namespace {

constexpr std::size_t most_annotations = 10;            // of one kind in a step: GitHub drops the rest
constexpr std::size_t most_summary = (1u << 20) - 4096; // a summary beyond 1 MiB is not shown at all

/// No line of what it guards can be this, since it is made of all of it.
std::string token_for(const std::string& text) {
    std::uint64_t a = 0xcbf29ce484222325u, b = 0x9e3779b97f4a7c15u;
    for (const char c : text) {
        a = (a ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
        b = (b + static_cast<unsigned char>(c)) * 0xff51afd7ed558ccdu ^ (b >> 31);
    }
    return fmt::format("assay-{:016x}{:016x}", a, b);
}

std::string annotation(const Graded& unit) {
    const Record& record = unit.record;
    const char* level = record.verdict == Verdict::SKIP ? "warning" : "error";
    return fmt::format("::{} title={}::{}\n", level,
                       github_property(fmt::format("{} / {}: {}, {} of {} points", unit.candidate, record.exercise,
                                                   code(record.verdict), record.score, record.max_score)),
                       github_message(printable(first_fault(record))));
}

/// What the attempts printed and the compiler said, of those that fail: between stop-commands.
std::string logs(const GradedCohort& cohort) {
    std::string text;
    for (const Graded& unit : cohort.units) {
        if (unit.record.verdict == Verdict::AC) continue;
        std::string own = first_lines(printable(unit.record.compiler_output, Keep::newlines), 40);
        const auto first = first_failure(unit.record);
        if (first && first->failing != nullptr)
            own += first_lines(printable(first->failing->printed, Keep::newlines), 12);
        if (!own.empty()) text += fmt::format("--- {} / {}\n{}\n", unit.candidate, unit.record.exercise, own);
    }
    return text;
}

std::string summary(const GradedCohort& cohort) {
    const auto passed = std::count_if(cohort.units.begin(), cohort.units.end(),
                                      [](const Graded& unit) { return unit.record.verdict == Verdict::AC; });
    std::string text = fmt::format("## Assay\n\n{} graded, {} accepted.\n\n",
                                   counted(static_cast<long long>(cohort.units.size()), "submission"), passed);
    const std::string table = cohort_markdown(cohort);
    if (text.size() + table.size() <= most_summary) return text + table;
    const std::size_t end = table.rfind('\n', most_summary - text.size());
    return text + table.substr(0, end + 1) + "\nThe rest is left out: it would pass GitHub's limit of 1 MiB.\n";
}

} // namespace

std::string github_message(std::string_view text) {
    std::string escaped;
    for (const char c : text)
        escaped += c == '%'    ? std::string("%25")
                   : c == '\r' ? std::string("%0D")
                   : c == '\n' ? std::string("%0A")
                               : std::string(1, c);
    return escaped;
}

std::string github_property(std::string_view text) {
    std::string escaped;
    for (const char c : github_message(text))
        escaped += c == ':' ? std::string("%3A") : c == ',' ? std::string("%2C") : std::string(1, c);
    return escaped;
}

std::vector<ReportFile> github_files(const GradedCohort& cohort) {
    std::string text;
    std::size_t errors = 0, warnings = 0, left_out = 0;
    for (const Graded& unit : cohort.units) {
        if (unit.record.verdict == Verdict::AC) continue;
        std::size_t& count = unit.record.verdict == Verdict::SKIP ? warnings : errors;
        if (++count <= most_annotations)
            text += annotation(unit);
        else
            ++left_out;
    }
    if (left_out > 0)
        text += fmt::format("::notice title=assay::{} more are told in the summary and the reports\n", left_out);
    if (const std::string own = logs(cohort); !own.empty()) {
        const std::string token = token_for(own);
        text += fmt::format("::stop-commands::{0}\n{1}::{0}::\n", token, own);
    }
    return {{"github-annotations.txt", text}, {"github-summary.md", summary(cohort)}};
}

} // namespace assay
