#include "report/exercism.hpp"

#include "report/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace assay {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_output = 500; // of one test, by the specification

std::string printed_by(const LevelRecord& level) {
    std::string text;
    for (const CaseRecord& one : level.cases) text += one.printed;
    text = printable(text, Keep::newlines);
    if (text.size() <= most_output) return text;
    constexpr std::string_view cut_mark = " [cut]";
    std::size_t end = most_output - cut_mark.size();
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end; // not within a character
    return text.substr(0, end) + std::string(cut_mark);
}

Json test_of(const Record& record, const LevelResult& result) {
    const LevelRecord& level = *result.level;
    Json j;
    j["name"] = result.name;
    j["test_code"] = fmt::format("assay check {} --level {}", record.exercise, level.id);
    j["status"] = level.verdict == Verdict::AC ? "pass" : level.verdict == Verdict::WA ? "fail" : "error";
    j["message"] =
        level.verdict == Verdict::AC ? Json(nullptr) : Json(fmt::format("{}: {}", code(level.verdict), result.message));
    const std::string printed = printed_by(level);
    j["output"] = printed.empty() ? Json(nullptr) : Json(printed);
    return j;
}

} // namespace

std::vector<ReportFile> exercism_files(const GradedCohort& cohort) {
    std::vector<ReportFile> files;
    for (const Graded& unit : cohort.units) {
        const Record& record = unit.record;
        Json j, tests = Json::array();
        std::string unrun;
        for (const LevelResult& result : level_results(cohort, record, View::candidate)) {
            if (result.level == nullptr) unrun = result.message;
            if (result.level != nullptr && result.level->verdict != Verdict::SKIP &&
                (result.level->must || result.level->verdict == Verdict::AC))
                tests.push_back(test_of(record, result));
        }
        j["version"] = 3;
        if (tests.empty()) {
            j["status"] = "error";
            j["message"] = unrun.empty() ? std::string(meaning(record.verdict)) : unrun;
        } else {
            j["status"] = record.verdict == Verdict::AC ? "pass" : "fail";
            j["message"] = nullptr;
        }
        j["tests"] = std::move(tests);
        files.push_back({fmt::format("exercism/{}/{}.json", file_stem(unit.candidate), record.exercise),
                         j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"});
    }
    return files;
}

} // namespace assay
