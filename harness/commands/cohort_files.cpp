#include "commands/cohort_files.hpp"

#include "catalogue/embedded.hpp"
#include "catalogue/files.hpp"
#include "commands/stop.hpp"
#include "grade/fingerprint.hpp"
#include "report/cohort_file.hpp"
#include "report/cohort_table.hpp"
#include "report/cohort_view.hpp"
#include "report/exercism.hpp"
#include "report/github.hpp"
#include "report/gradescope.hpp"
#include "report/junit.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace fs = std::filesystem;

namespace assay {

namespace {

struct CohortFormat {
    const char* name;
    std::vector<ReportFile> (*files)(const GradedCohort& cohort);
};

std::vector<ReportFile> csv_files(const GradedCohort& cohort) { return {{"grades.csv", cohort_csv(cohort)}}; }
std::vector<ReportFile> jsonl_files(const GradedCohort& cohort) {
    return {{"summary.jsonl", cohort_json_lines(cohort)}};
}
std::vector<ReportFile> markdown_files(const GradedCohort& cohort) { return {{"grades.md", cohort_markdown(cohort)}}; }

constexpr CohortFormat formats_known[] = {
    {"cohort", cohort_view_files},    {"csv", csv_files},
    {"exercism", exercism_files},     {"github", github_files},
    {"gradescope", gradescope_files}, {"jsonl", jsonl_files},
    {"junit", junit_files},           {"markdown", markdown_files},
};

const CohortFormat* find_format(const std::string& name) {
    for (const CohortFormat& format : formats_known)
        if (format.name == name) return &format;
    return nullptr;
}

} // namespace

void require_known_formats(const std::vector<std::string>& formats) {
    for (const std::string& name : formats) {
        if (find_format(name) != nullptr) continue;
        std::string list;
        for (const CohortFormat& format : formats_known) list += (list.empty() ? "" : ", ") + std::string(format.name);
        throw Stop(Exit::usage, fmt::format("no such format: {} (there are {})", printable(name), list));
    }
}

namespace {

/// The texts that everybody starts from, or may have read.
std::vector<std::string> known_texts(const std::string& exercise) {
    std::vector<std::string> texts;
    for (const std::string& path :
         {"exercises/" + exercise + "/starter.cpp", "exercises/" + exercise + "/contract.hpp"})
        if (const auto text = embedded(path)) texts.emplace_back(*text);
    return texts;
}

/// Pairs of one exercise after the other, most alike first.
std::vector<AlikePair> alike_in(const std::vector<Fingerprinted>& all) {
    std::map<std::string, std::vector<Fingerprinted>> by_exercise;
    for (const Fingerprinted& one : all) by_exercise[one.exercise].push_back(one);
    std::vector<AlikePair> pairs;
    for (const auto& [exercise, group] : by_exercise)
        for (const Similar& similar : near_identical(group, known_texts(exercise)))
            pairs.push_back({exercise, printable(group[similar.a].candidate), printable(group[similar.b].candidate),
                             similar.share});
    return pairs;
}

} // namespace

GradedCohort read_cohort(const fs::path& out, const Plan& plan) {
    GradedCohort cohort;
    cohort.hidden_seeds = plan.hidden_seeds;
    for (const Unit& unit : plan.units) {
        Outcome<Record> record = result_of(out, unit);
        if (record)
            cohort.units.push_back({printable(unit.candidate), std::move(*record)});
        else
            ++cohort.missing;
    }
    bool ok = false;
    const std::string text = read_text(out / fingerprints_name, ok, std::size_t{1} << 30);
    if (ok) cohort.alike = alike_in(fingerprints_from(text));
    return cohort;
}

std::vector<std::string> write_cohort_files(const fs::path& out, const GradedCohort& cohort,
                                            const std::vector<std::string>& formats) {
    std::vector<std::string> written;
    for (const std::string& name : formats) {
        const std::vector<ReportFile> files = find_format(name)->files(cohort);
        for (const ReportFile& file : files)
            if (const std::string failed = write_text(out / file.path, file.text); !failed.empty())
                throw Stop(Exit::environment, failed);
        if (files.size() > 2) // one a candidate: the folder says enough
            written.push_back(files.front().path.substr(0, files.front().path.find('/') + 1));
        else
            for (const ReportFile& file : files) written.push_back(file.path);
    }
    return written;
}

std::string cohort_summary(const GradedCohort& cohort, const std::string& out, const std::vector<std::string>& written,
                           const Style& style) {
    std::string text = cohort_terminal(cohort, style) + "\n";
    std::map<Verdict, int> counts;
    for (const Graded& unit : cohort.units) ++counts[unit.record.verdict];
    std::string line = counted(static_cast<long long>(cohort.units.size()), "submission") + " graded";
    for (const auto& [verdict, count] : counts) line += fmt::format(", {} {}", count, code(verdict));
    text += line + ".\n";
    if (cohort.missing > 0)
        text += fmt::format("{} without a result: grade again with --resume.\n",
                            counted(static_cast<long long>(cohort.missing), "submission"));
    std::string list;
    for (const std::string& file : written) list += (list.empty() ? "" : ", ") + file;
    if (!list.empty()) text += fmt::format("Reports in {}: {}; a record each in records/.\n", printable(out), list);
    return text;
}

} // namespace assay
