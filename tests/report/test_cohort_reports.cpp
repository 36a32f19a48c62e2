// Reports of a grading, each held against its format's specification, with names and texts that mean harm.
#include "catch.hpp"

#include "report/cohort_table.hpp"
#include "report/cohort_view.hpp"
#include "report/exercism.hpp"
#include "report/github.hpp"
#include "report/gradescope.hpp"
#include "report/json.hpp"
#include "report/json_schema.hpp"
#include "report/junit.hpp"
#include "report/sample_record.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>
#include <sstream>

using namespace assay;
using namespace assay::tests;

namespace {

const std::string hostile = "eve <b>|`&\"'%::error::x";

Record passed() {
    Record record = sample_record();
    record.verdict = Verdict::AC;
    record.diagnoses.clear();
    record.smallest.reset();
    for (LevelRecord& level : record.levels) {
        level.verdict = Verdict::AC;
        level.earned = level.points;
        level.reason.clear();
        for (CaseRecord& one : level.cases) one = {one.id, one.why, Verdict::AC, "", {}, ""};
    }
    record.score = record.max_score;
    return record;
}

Record uncompiled() {
    Record record = sample_record();
    record.verdict = Verdict::CE;
    record.reason = "it does not compile: sdpa.cpp:1: no";
    record.compiler_output = "sdpa.cpp:1:1: error: ::stop-commands::x\n::error::from a candidate\n";
    record.diagnoses.clear();
    record.score = 0;
    for (LevelRecord& level : record.levels) {
        level.verdict = Verdict::SKIP;
        level.earned = 0;
        level.reason = "not run: the attempt does not compile";
        level.cases.clear();
    }
    return record;
}

Record of_verdict(Verdict verdict) {
    Record record = uncompiled();
    record.verdict = verdict;
    record.reason = "the judge was killed";
    record.compiler_output.clear();
    for (LevelRecord& level : record.levels) level.reason = "not run";
    return record;
}

GradedCohort cohort() {
    GradedCohort all;
    all.units = {{"ada", passed()},
                 {"ada", sample_record()},
                 {hostile, uncompiled()},
                 {hostile, of_verdict(Verdict::JE)},
                 {"zoe", of_verdict(Verdict::SKIP)}};
    all.units[0].record.exercise = "memory";
    all.units[3].record.exercise = "memory";
    all.alike = {{"sdpa", "ada", hostile, 0.93}};
    return all;
}

std::set<std::string> attributes_of(const pugi::xml_node& node) {
    std::set<std::string> names;
    for (const pugi::xml_attribute& attribute : node.attributes()) names.insert(attribute.name());
    return names;
}

bool only(const std::string& text, const std::string& characters) {
    return text.find_first_not_of(characters) == std::string::npos;
}

const std::string digits = "0123456789";

/// Seconds as the schema's pattern takes them: digits, with or without a fraction.
bool is_time(const std::string& text) {
    const std::size_t point = std::min(text.find('.'), text.size());
    return only(text.substr(0, point), digits) && only(text.substr(std::min(point + 1, text.size())), digits);
}

bool begins(const std::string& text, const std::string& with) { return text.substr(0, with.size()) == with; }

/// "::error title=...::...", whose properties hold no separator.
bool is_annotation(const std::string& line) {
    for (const std::string kind : {"::error title=", "::warning title="}) {
        if (!begins(line, kind)) continue;
        const std::size_t end = line.find("::", kind.size());
        return end != std::string::npos &&
               line.substr(kind.size(), end - kind.size()).find_first_of(":,") == std::string::npos;
    }
    return false;
}

bool within(const std::set<std::string>& some, const std::set<std::string>& all) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

} // namespace

TEST_CASE("junit.xml is what Jenkins' junit-10.xsd allows, and its counts add up") {
    const std::vector<ReportFile> files = junit_files(cohort());
    REQUIRE(files.size() == 1);
    pugi::xml_document document;
    REQUIRE(document.load_string(files[0].text.c_str()));
    const pugi::xml_node suites = document.document_element();
    CHECK(std::string(suites.name()) == "testsuites");
    CHECK(within(attributes_of(suites), {"name", "time", "tests", "failures", "errors"}));
    int tests = 0, failures = 0, errors = 0;
    for (const pugi::xml_node& suite : suites.children()) {
        CHECK(std::string(suite.name()) == "testsuite");
        const std::set<std::string> given = attributes_of(suite);
        CHECK(within({"errors", "failures", "name", "tests"}, given));
        CHECK(within(given, {"errors", "failures", "file", "group", "hostname", "id", "log", "name", "package",
                             "skipped", "tests", "time", "timestamp", "url"}));
        CHECK(is_time(suite.attribute("time").value()));
        std::map<std::string, int> counts;
        for (const pugi::xml_node& test : suite.children()) {
            CHECK(std::string(test.name()) == "testcase");
            CHECK(within(attributes_of(test), {"classname", "group", "name", "time"}));
            CHECK(!std::string(test.attribute("name").value()).empty());
            ++counts["tests"];
            for (const pugi::xml_node& outcome : test.children()) {
                CHECK(within(attributes_of(outcome), {"message", "type"}));
                ++counts[outcome.name()];
            }
        }
        CHECK(suite.attribute("tests").as_int() == counts["tests"]);
        CHECK(suite.attribute("failures").as_int() == counts["failure"]);
        CHECK(suite.attribute("errors").as_int() == counts["error"]);
        CHECK(suite.attribute("skipped").as_int() == counts["skipped"]);
        tests += counts["tests"];
        failures += counts["failure"];
        errors += counts["error"];
    }
    CHECK(suites.attribute("tests").as_int() == tests);
    CHECK(suites.attribute("failures").as_int() == failures);
    CHECK(suites.attribute("errors").as_int() == errors);
    CHECK(failures == 2); // the wrong level, the attempt that does not compile
    CHECK(errors == 1);   // ours
    CHECK(std::string(suites.first_child().next_sibling().next_sibling().attribute("name").value()) ==
          hostile + " / sdpa");
}

TEST_CASE("Gradescope's files fit its specification, and hidden seeds hide the tests") {
    for (const bool hidden : {false, true}) {
        GradedCohort all = cohort();
        all.hidden_seeds = hidden;
        const std::vector<ReportFile> files = gradescope_files(all);
        REQUIRE(files.size() == 3);
        std::set<std::string> paths;
        for (const ReportFile& file : files) {
            CHECK(misfit_of(file.text, "tests/report/gradescope.schema.json").empty());
            CHECK(begins(file.path, "gradescope/"));
            CHECK(file.path.find('/', 11) == std::string::npos);
            CHECK(only(file.path.substr(11), digits + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_~-."));
            paths.insert(file.path);
            const auto document = nlohmann::json::parse(file.text);
            CHECK(document["visibility"] == "visible");
            for (const auto& test : document["tests"]) {
                CHECK(test["visibility"] == (hidden ? "hidden" : "visible"));
                if (test.contains("score")) CHECK(test["score"] <= test["max_score"]);
            }
        }
        CHECK(paths.size() == 3);
        const auto ada = nlohmann::json::parse(files[0].text);
        const Record wrong = sample_record(), right = passed();
        CHECK(ada["score"] == right.score + right.bonus + wrong.score + wrong.bonus);
        // What would give inputs away: values, cases, replays.
        const bool shows_values =
            files[0].text.find("expected") != std::string::npos || files[0].text.find("replay") != std::string::npos;
        CHECK(shows_values == !hidden);
    }
}

TEST_CASE("Exercism's files fit version 3 of its specification") {
    const std::vector<ReportFile> files = exercism_files(cohort());
    REQUIRE(files.size() == 5);
    std::vector<std::string> statuses;
    for (const ReportFile& file : files) {
        INFO(file.text);
        CHECK(misfit_of(file.text, "tests/report/exercism.schema.json").empty());
        statuses.push_back(nlohmann::json::parse(file.text)["status"]);
    }
    CHECK(statuses == std::vector<std::string>{"pass", "fail", "error", "error", "error"});
    GradedCohort long_winded = cohort();
    long_winded.units.resize(2);
    long_winded.units[1].record.levels[1].cases[0].printed = std::string(300, 'a') + std::string(300, '\xc3') + "\xa9";
    CHECK(misfit_of(exercism_files(long_winded)[1].text, "tests/report/exercism.schema.json").empty());
}

TEST_CASE("GitHub's commands carry no command of a candidate's") {
    const std::vector<ReportFile> files = github_files(cohort());
    REQUIRE(files.size() == 2);
    const std::string& text = files[0].text;
    std::string stopped; // the token that ends a stop
    int commands = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!stopped.empty()) {
            if (line == "::" + stopped + "::") stopped.clear();
            continue;
        }
        const std::string stop = "::stop-commands::";
        if (line.substr(0, stop.size()) == stop) {
            stopped = line.substr(stop.size());
            continue;
        }
        ++commands;
        CHECK(is_annotation(line));
    }
    CHECK(stopped.empty());
    CHECK(commands == 4);
    CHECK(text.find("::error::from a candidate") != std::string::npos); // told, between the stops
    CHECK(github_message("50 %\r\n") == "50 %25%0D%0A");
    CHECK(github_property("a: b, c") == "a%3A b%2C c");
    CHECK(files[1].text.find("<b>") == std::string::npos);

    GradedCohort many;
    for (int i = 0; i < 30; ++i) many.units.push_back({"c", uncompiled()});
    const std::string told = github_files(many)[0].text;
    CHECK(told.find("20 more are told in the summary") != std::string::npos);
    for (int i = 0; i < 9000; ++i) many.units.push_back({std::string(100, 'x'), uncompiled()});
    CHECK(github_files(many)[1].text.size() < std::size_t{1} << 20);
}

TEST_CASE("Markdown and CSV take any name for what it is") {
    const std::string table = cohort_markdown(cohort());
    std::istringstream rows(table);
    for (std::string row; std::getline(rows, row);) {
        std::size_t bars = 0;
        for (std::size_t i = 0; i < row.size(); ++i) bars += row[i] == '|' && (i == 0 || row[i - 1] != '\\') ? 1 : 0;
        CHECK(bars == 8);
    }
    CHECK(table.find("<b>") == std::string::npos);

    GradedCohort odd;
    odd.units = {{"=HYPERLINK(\"x\")", passed()}, {"a,b\"c", passed()}};
    const std::string csv = cohort_csv(odd);
    CHECK(csv.find("\"'=HYPERLINK(\"\"x\"\")\",sdpa,AC") != std::string::npos);
    CHECK(csv.find("\"a,b\"\"c\",sdpa,AC") != std::string::npos);
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 3);
}

TEST_CASE("JSON Lines hold an object a unit") {
    std::istringstream lines(cohort_json_lines(cohort()));
    std::vector<nlohmann::json> units;
    for (std::string line; std::getline(lines, line);) units.push_back(nlohmann::json::parse(line));
    REQUIRE(units.size() == 5);
    CHECK(units[1]["exercise"] == "sdpa");
    CHECK(units[1]["verdict"] == "WA");
    CHECK(units[1]["first_failing_level"] == "empty");
    CHECK(units[2]["candidate"] == hostile);
}

TEST_CASE("the cohort's view counts levels, mistakes and pairs") {
    const std::string text = cohort_view_files(cohort()).front().text;
    CHECK(text.find("5 submissions from 3 candidates.") != std::string::npos);
    CHECK(text.find("| AC (accepted) | 1 | 20 % |") != std::string::npos);
    CHECK(text.find("1 x `" + sample_record().diagnoses.front().mistake + "`") != std::string::npos);
    CHECK(text.find("93 %") != std::string::npos);
    CHECK(text.find("<b>") == std::string::npos);
    CHECK(cohort_view_files({}).front().text.find("0 submissions") != std::string::npos);
}

TEST_CASE("the terminal's table is cut to the worst, with a count of the rest") {
    GradedCohort many;
    for (int i = 0; i < 60; ++i) many.units.push_back({"c" + std::to_string(i), passed()});
    many.units.push_back({"broken", of_verdict(Verdict::JE)});
    Style style;
    style.width = 100;
    const std::string text = cohort_terminal(many, style, 40);
    CHECK(text.find("broken") < text.find("c0"));
    CHECK(text.find("... 21 more, none worse") != std::string::npos);
}

TEST_CASE("candidates whose names begin alike keep files of their own") {
    for (const std::size_t length : {79u, 80u, 81u, 100u, 101u, 300u}) {
        const std::string a(length, 'x');
        CHECK(file_stem(a) != file_stem(a + "y"));
    }
    CHECK(file_stem("ada") == "ada");
}
