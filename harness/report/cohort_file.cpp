#include "report/cohort_file.hpp"

#include "core/fnv.hpp"
#include "report/explain.hpp"
#include "report/style.hpp"
#include "report/text.hpp"

#include <fmt/format.h>

namespace assay {

namespace {

/// Why the level failed: its own reason, or its first failing case's.
std::string reason_of(const LevelRecord& level, const CaseRecord*& failing) {
    if (!level.reason.empty()) return level.reason;
    for (const CaseRecord& one : level.cases)
        if (one.verdict != Verdict::AC && one.verdict != Verdict::SKIP) {
            failing = &one;
            return one.reason;
        }
    return "";
}

std::string message_of(const Record& record, const LevelRecord& level, bool hide_inputs) {
    const CaseRecord* failing = nullptr;
    std::string text = printable(reason_of(level, failing), Keep::newlines);
    const auto add = [&](const std::string& line) { text += (text.empty() ? "" : "\n") + line; };
    if (failing != nullptr) {
        if (!failing->why.empty() && !hide_inputs) add(fmt::format("case {}: {}", failing->id, failing->why));
        for (const Finding& finding : failing->findings)
            add(hide_inputs ? fmt::format("{} is wrong ({})", finding.tensor, name_of(finding.kind))
                            : printable(sentence_of(finding)) + ".");
    }
    const auto first = first_failure(record);
    if (!first || first->level != &level) return text;
    for (const Diagnosis& diagnosis : record.diagnoses) add(printable(diagnosis.sentence));
    if (record.crash) add(printable(record.crash->summary));
    if (record.smallest && !hide_inputs) {
        if (!record.smallest->dimensions.empty()) add("smallest failing case: " + record.smallest->dimensions);
        for (const std::string& line : record.smallest->story) add("  " + printable(line));
        if (!record.smallest->replay.empty()) add("replay: " + printable(record.smallest->replay));
    }
    return text;
}

} // namespace

std::vector<LevelResult> level_results(const GradedCohort& cohort, const Record& record, View view) {
    const bool hide = cohort.hidden_seeds && view == View::candidate;
    std::vector<LevelResult> results;
    const bool unrun =
        record.verdict == Verdict::CE || record.verdict == Verdict::JE || record.verdict == Verdict::SKIP;
    bool told = !unrun || record.reason.empty();
    for (const LevelRecord& level : record.levels) {
        LevelResult one{&level, fmt::format("{}. {}{}", level.number, level.title, level.must ? "" : " (bonus)"), ""};
        if (level.verdict != Verdict::AC) one.message = message_of(record, level, hide);
        told = told || one.message.find(record.reason) != std::string::npos;
        results.push_back(std::move(one));
    }
    if (!told) { // what no level says: it does not compile, it could not be run
        std::string message = printable(record.reason, Keep::newlines);
        if (!record.compiler_output.empty())
            message += "\n" + first_lines(printable(record.compiler_output, Keep::newlines), 40);
        results.insert(results.begin(), {nullptr, record.verdict == Verdict::CE ? "0. It compiles" : "0. It can be run",
                                         std::move(message)});
    }
    return results;
}

std::vector<std::pair<std::size_t, std::size_t>> by_candidate(const GradedCohort& cohort) {
    std::vector<std::pair<std::size_t, std::size_t>> spans;
    for (std::size_t i = 0; i < cohort.units.size(); ++i) {
        if (i == 0 || cohort.units[i].candidate != cohort.units[i - 1].candidate) spans.emplace_back(i, i);
        spans.back().second = i + 1;
    }
    return spans;
}

std::string file_stem(const std::string& candidate) {
    std::string stem;
    constexpr std::size_t most = 80;
    bool changed = candidate.size() > most;
    for (const char c : candidate) {
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
        changed = changed || !plain;
        if (stem.size() < most) stem += plain ? c : '_';
    }
    return changed ? fmt::format("{}~{:016x}", stem, fnv1a(candidate)) : stem;
}

} // namespace assay
