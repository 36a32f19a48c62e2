#include "report/junit.hpp"

#include "report/speed.hpp"
#include "report/text.hpp"

#include <fmt/format.h>
#include <pugixml.hpp>
#include <sstream>

namespace assay {

namespace {

struct Counts {
    int tests = 0, failures = 0, errors = 0, skipped = 0;
};

void add_case(pugi::xml_node suite, const Graded& unit, const LevelResult& result, Counts& counts) {
    const Verdict verdict = result.level != nullptr ? result.level->verdict : unit.record.verdict;
    const bool must = result.level == nullptr || result.level->must;
    pugi::xml_node test = suite.append_child("testcase");
    test.append_attribute("classname") = unit.record.exercise.c_str();
    test.append_attribute("name") = result.name.c_str();
    ++counts.tests;
    if (verdict == Verdict::AC) return;
    const bool skipped = verdict == Verdict::SKIP || (!must && verdict != Verdict::JE);
    const char* kind = skipped ? "skipped" : verdict == Verdict::JE ? "error" : "failure";
    ++(skipped ? counts.skipped : verdict == Verdict::JE ? counts.errors : counts.failures);
    pugi::xml_node node = test.append_child(kind);
    const std::string message = result.message.substr(0, result.message.find('\n'));
    node.append_attribute("message") = message.c_str();
    if (!skipped) node.append_attribute("type") = std::string(code(verdict)).c_str();
    if (!skipped && !result.message.empty()) node.text() = result.message.c_str();
}

/// A timed level passes where it reaches an aim, and fails nobody: it is a bonus.
void add_timed(pugi::xml_node suite, const Graded& unit, const SpeedRecord& speed, Counts& counts) {
    pugi::xml_node test = suite.append_child("testcase");
    test.append_attribute("classname") = unit.record.exercise.c_str();
    test.append_attribute("name") = ("Timed. " + speed_line(speed, unit.record.growth)).c_str();
    ++counts.tests;
    if (speed.reached > 0) return;
    ++counts.skipped;
    test.append_child("skipped").append_attribute("message") =
        (speed.reason.empty() ? "no aim is reached" : printable(speed.reason)).c_str();
}

void set_counts(pugi::xml_node node, const Counts& counts, bool with_skipped) {
    node.append_attribute("tests") = counts.tests;
    node.append_attribute("failures") = counts.failures;
    node.append_attribute("errors") = counts.errors;
    if (with_skipped) node.append_attribute("skipped") = counts.skipped;
}

} // namespace

std::vector<ReportFile> junit_files(const GradedCohort& cohort) {
    pugi::xml_document document;
    pugi::xml_node declaration = document.append_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    pugi::xml_node suites = document.append_child("testsuites");
    suites.append_attribute("name") = "assay";
    Counts all;
    for (const Graded& unit : cohort.units) {
        pugi::xml_node suite = suites.append_child("testsuite");
        suite.append_attribute("name") = fmt::format("{} / {}", unit.candidate, unit.record.exercise).c_str();
        const auto& times = unit.record.times;
        suite.append_attribute("time") = fmt::format("{:.3f}", (times.compile_ms + times.judge_ms) / 1000).c_str();
        Counts counts;
        for (const LevelResult& result : level_results(cohort, unit.record, View::grader))
            add_case(suite, unit, result, counts);
        for (const SpeedRecord& speed : unit.record.speed) add_timed(suite, unit, speed, counts);
        set_counts(suite, counts, true);
        all.tests += counts.tests;
        all.failures += counts.failures;
        all.errors += counts.errors;
    }
    set_counts(suites, all, false);
    std::ostringstream text;
    document.save(text, "  ");
    return {{"junit.xml", text.str()}};
}

} // namespace assay
