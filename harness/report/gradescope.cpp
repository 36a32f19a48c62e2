#include "report/gradescope.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace assay {

namespace {

using Json = nlohmann::ordered_json;

Json test_of(const GradedCohort& cohort, const Graded& unit, const LevelResult& result, std::size_t exercise) {
    const Verdict verdict = result.level != nullptr ? result.level->verdict : unit.record.verdict;
    Json j;
    j["name"] = fmt::format("{}: {}", unit.record.exercise, result.name);
    j["number"] = fmt::format("{}.{}", exercise, result.level != nullptr ? result.level->number : 0);
    j["status"] = verdict == Verdict::AC ? "passed" : "failed";
    if (result.level != nullptr && result.level->points > 0) {
        j["score"] = result.level->earned;
        // A bonus adds to the score and takes nothing where it is left out.
        j["max_score"] = result.level->must ? result.level->points : result.level->earned;
    }
    j["output"] =
        result.message.empty() ? std::string(code(verdict)) : fmt::format("{}: {}", code(verdict), result.message);
    j["output_format"] = "text"; // a candidate's own text is never rendered
    j["tags"] = Json::array({unit.record.exercise, result.level != nullptr && !result.level->must ? "bonus" : "must"});
    j["visibility"] = cohort.hidden_seeds ? "hidden" : "visible";
    return j;
}

} // namespace

std::vector<ReportFile> gradescope_files(const GradedCohort& cohort) {
    std::vector<ReportFile> files;
    for (const auto& [first, last] : by_candidate(cohort)) {
        Json j;
        int score = 0;
        std::string output;
        Json tests = Json::array();
        for (std::size_t i = first; i < last; ++i) {
            const Graded& unit = cohort.units[i];
            score += unit.record.score + unit.record.bonus;
            output += fmt::format("{}{}: {}, {} of {} points", output.empty() ? "" : "\n", unit.record.exercise,
                                  code(unit.record.verdict), unit.record.score, unit.record.max_score);
            for (const LevelResult& result : level_results(cohort, unit.record, View::candidate))
                tests.push_back(test_of(cohort, unit, result, i - first + 1));
        }
        j["score"] = score;
        j["output"] = output;
        j["output_format"] = "text";
        j["visibility"] = "visible";
        j["stdout_visibility"] = "hidden";
        j["tests"] = std::move(tests);
        files.push_back({"gradescope/" + file_stem(cohort.units[first].candidate) + ".json",
                         j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"});
    }
    return files;
}

} // namespace assay
