#include "report/cohort_table.hpp"

#include "report/explain.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace assay {

namespace {

std::string points_of(const Record& record) { return fmt::format("{} of {}", record.score, record.max_score); }

std::string failing_level(const Record& record) {
    const auto first = first_failure(record);
    return first ? first->level->id : "";
}

std::string csv_field(std::string text) {
    if (!text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos) text.insert(0, "'");
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

Paint paint_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::AC: return Paint::green;
    case Verdict::JE:
    case Verdict::SKIP: return Paint::yellow;
    default: return Paint::red;
    }
}

/// Our own faults first, then the fewest points.
int rank_of(const Record& record) {
    if (record.verdict == Verdict::JE) return 0;
    return record.verdict == Verdict::AC ? 2 : 1;
}

} // namespace

std::string markdown_cell(const std::string& text) {
    std::string cell;
    for (const char c : printable(text)) {
        if (std::string_view("|\\`*_[]<>").find(c) != std::string_view::npos) cell += '\\';
        cell += c;
    }
    return cell;
}

std::string first_fault(const Record& record) {
    if (record.verdict == Verdict::AC) return "";
    const auto first = first_failure(record);
    if (!record.diagnoses.empty() && first) return record.diagnoses.front().sentence;
    if (first && first->failing != nullptr) {
        if (!first->failing->findings.empty()) return sentence_of(first->failing->findings.front());
        if (!first->failing->reason.empty()) return first->failing->reason;
    }
    if (first && !first->level->reason.empty()) return first->level->reason;
    return record.reason;
}

std::string cohort_terminal(const GradedCohort& cohort, const Style& style, std::size_t most_rows) {
    std::vector<const Graded*> rows;
    for (const Graded& unit : cohort.units) rows.push_back(&unit);
    if (rows.size() > most_rows) // too many for a table: the worst are looked at first
        std::stable_sort(rows.begin(), rows.end(), [](const Graded* a, const Graded* b) {
            const int x = rank_of(a->record), y = rank_of(b->record);
            return x != y ? x < y : a->record.score < b->record.score;
        });
    const std::size_t shown = std::min(rows.size(), most_rows);
    std::size_t names = 9, exercises = 8;
    for (std::size_t i = 0; i < shown; ++i) {
        names = std::min<std::size_t>(std::max(names, display_width(rows[i]->candidate)), 28);
        exercises = std::max(exercises, display_width(rows[i]->record.exercise));
    }
    const auto width = static_cast<std::size_t>(style.width);
    const std::string head = fmt::format("  {}  {}  {}  {}  ", pad_right("candidate", names),
                                         pad_right("exercise", exercises), "    ", pad_left("points", 10));
    std::string text = style.dim(head + "what is wrong first") + "\n";
    for (std::size_t i = 0; i < shown; ++i) {
        const Record& record = rows[i]->record;
        const std::string fault =
            cut(printable(first_fault(record)), width > head.size() + 20 ? width - head.size() : 40);
        text += fmt::format("  {}  {}  {}  {}  {}\n", pad_right(cut(rows[i]->candidate, names), names),
                            pad_right(record.exercise, exercises),
                            style.paint(paint_of(record.verdict), pad_right(code(record.verdict), 4)),
                            pad_left(points_of(record), 10), style.dim(fault));
    }
    if (shown < rows.size()) text += style.dim(fmt::format("  ... {} more, none worse", rows.size() - shown)) + "\n";
    return text;
}

std::string cohort_markdown(const GradedCohort& cohort) {
    std::string text =
        "| candidate | exercise | verdict | points | bonus | first failing level | what is wrong first |\n"
        "| --- | --- | --- | ---: | ---: | --- | --- |\n";
    for (const Graded& unit : cohort.units) {
        const Record& record = unit.record;
        text += fmt::format("| {} | {} | {} | {} of {} | {} of {} | {} | {} |\n", markdown_cell(unit.candidate),
                            record.exercise, code(record.verdict), record.score, record.max_score, record.bonus,
                            record.max_bonus, failing_level(record), markdown_cell(first_fault(record)));
    }
    return text;
}

std::string cohort_csv(const GradedCohort& cohort) {
    std::string text =
        "candidate,exercise,verdict,score,max_score,bonus,max_bonus,first_failing_level,mistake,reason\r\n";
    for (const Graded& unit : cohort.units) {
        const Record& record = unit.record;
        text += fmt::format("{},{},{},{},{},{},{},{},{},{}\r\n", csv_field(unit.candidate), record.exercise,
                            code(record.verdict), record.score, record.max_score, record.bonus, record.max_bonus,
                            failing_level(record),
                            csv_field(record.diagnoses.empty() ? "" : record.diagnoses.front().mistake),
                            csv_field(printable(first_fault(record))));
    }
    return text;
}

std::string cohort_json_lines(const GradedCohort& cohort) {
    std::string text;
    for (const Graded& unit : cohort.units) {
        const Record& record = unit.record;
        nlohmann::ordered_json j;
        j["candidate"] = unit.candidate;
        j["exercise"] = record.exercise;
        j["verdict"] = code(record.verdict);
        j["score"] = record.score;
        j["max_score"] = record.max_score;
        j["bonus"] = record.bonus;
        j["max_bonus"] = record.max_bonus;
        j["levels"] = nlohmann::ordered_json::object();
        for (const LevelRecord& level : record.levels) j["levels"][level.id] = code(level.verdict);
        j["first_failing_level"] = failing_level(record);
        j["mistakes"] = nlohmann::ordered_json::array();
        for (const Diagnosis& diagnosis : record.diagnoses) j["mistakes"].push_back(diagnosis.mistake);
        j["reason"] = printable(first_fault(record));
        text += j.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    }
    return text;
}

} // namespace assay
