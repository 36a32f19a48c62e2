// What a candidate sees.
#include "catch.hpp"
#include "report/explain.hpp"
#include "report/sample_record.hpp"
#include "report/terminal.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <assay/unset.hpp>
#include <limits>

using namespace assay;
using namespace assay::tests;

namespace {
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// `text` with every run of spaces and line breaks as one space: what it says, however it is broken.
std::string flat(const std::string& text) {
    std::string result;
    for (const char c : text)
        if (c != ' ' && c != '\n')
            result += c;
        else if (!result.empty() && result.back() != ' ')
            result += ' ';
    return result;
}

std::string plain(const Record& record) {
    TerminalOptions options;
    return to_terminal(record, options);
}
} // namespace

TEST_CASE("a failure is shown with its place, its mistake, its smallest case and its replay") {
    const std::string text = plain(sample_record());
    CAPTURE(text);
    for (const char* part :
         {"out[0,2,5,0] is NaN, expected 0 (3 of 240 elements are wrong: every element of rows i = 5).",
          "Level 2, Empty rows: wrong answer on case two, a row with nothing to attend",
          "Your output matches a row of all -inf through softmax.", "Smallest failing case: Lq = 1, Lk = 1",
          "mask (1, 1, 1, 1) bool = 0", "xxxx", "heap-buffer-overflow, sdpa.cpp:31: it read 4 bytes past a block",
          "needs level 2 (Empty rows)", "10 of 30 points, bonus 5 of 5", "note: a note", "hint sdpa"})
        REQUIRE(has(flat(text), part));
    REQUIRE(has(text, "  Replay: assay check sdpa --case two@Lq:0@Lk:0 --seed 18446744073709551615\n"));
}

TEST_CASE("error, plain error and bound stand side by side") {
    const std::string text = explained(value_finding(), Style{}, "  ");
    REQUIRE(has(text, "out[0,2,5,0] is 0.5, expected 0.25"));
    REQUIRE(has(text, "error 0.25 · bound 1e-06 · a plain implementation's error 3e-08"));
}

TEST_CASE("wrong elements are counted, unless there is one alone") {
    const auto text = [](std::int64_t wrong, std::int64_t total, const char* place) {
        Finding finding = value_finding();
        finding.wrong = wrong;
        finding.total = total;
        finding.place = place;
        return flat(explained(finding, Style{}, ""));
    };
    CHECK(has(text(1, 1, "everywhere"), "expected 0.25. "));
    CHECK(has(text(1, 2, "a single element"), "expected 0.25 (1 of 2 elements is wrong). "));
    CHECK(has(text(2, 3, "out[1:]"), "expected 0.25 (2 of 3 elements are wrong: out[1:]). "));
    CHECK(has(text(3, 3, "everywhere"), "expected 0.25 (all 3 elements are wrong). "));
}

TEST_CASE("a choice is told by what its numbers mean") {
    Finding finding;
    finding.tensor = "state";
    finding.unit = "(0 ok, 1 let in, 12 too many, or too few, -1 no end)";
    const auto sentence = [&](double got, double expected) {
        finding.got = got;
        finding.expected = expected;
        return sentence_of(finding);
    };
    CHECK(sentence(1, 0) == "state is 1 (let in), expected 0 (ok)");
    CHECK(sentence(0, 12) == "state is 0 (ok), expected 12 (too many, or too few)");
    CHECK(sentence(12, -1) == "state is 12 (too many, or too few), expected -1 (no end)");
    CHECK(sentence(2, 0) == "state is 2, expected 0 " + finding.unit);
    finding.unit = "(0 ok, 1 let in)";
    CHECK(sentence(1, -1) == "state is 1 (let in), expected it unset");
    finding.unit = "(the stage, from 0, -1 none)"; // no list
    CHECK(sentence(1, -1) == "state is 1, expected -1 (the stage, from 0, -1 none)");
    finding.unit = "()";
    CHECK(sentence(1, 0) == "state is 1, expected 0 ()");
}

TEST_CASE("two numbers that look the same are shown in full") {
    Finding finding = value_finding();
    finding.got = 1.00000011920928955;
    finding.expected = 1;
    REQUIRE(has(sentence_of(finding), "1.0000001192092896"));
}

TEST_CASE("an item that is to stay unset is called so, not by the number that stands for it") {
    Finding finding;
    finding.tensor = "rounds";
    finding.got = 4;
    finding.expected = static_cast<double>(unset_integer);
    CHECK(sentence_of(finding) == "rounds is 4, expected it unset");
    finding.tensor = "link";
    finding.unit = "B/s";
    finding.expected = unset;
    CHECK(sentence_of(finding) == "link is 4 B/s, expected it unset");
    finding.expected = std::numeric_limits<double>::quiet_NaN(); // as a record that was read back gives it
    CHECK(sentence_of(finding) == "link is 4 B/s, expected it unset");
    finding.where = {0};
    CHECK(sentence_of(finding) == "link[0] is 4 B/s, expected NaN B/s");
}

TEST_CASE("what the attempt printed reaches the terminal harmless and cut short") {
    Record record = sample_record();
    REQUIRE(has(plain(record), "hello \\x1b[31mred\\x1b[0m"));
    std::string flood;
    for (int i = 0; i < 1000; ++i) flood += "flood\n";
    record.levels[1].cases[0].printed = flood;
    REQUIRE(has(plain(record), "988 more lines"));
    record.levels[1].cases[0].reason = "it let \x1b]0;owned\a escape";
    REQUIRE_FALSE(has(plain(record), "\x1b"));
}

TEST_CASE("several mistakes that fit are alternatives, none is said plainly") {
    Record record = sample_record();
    record.diagnoses.push_back({"other", "your output matches something else"});
    const std::string two = plain(record);
    REQUIRE(has(two, "Several explanations fit alike:"));
    REQUIRE(has(two, "- Your output matches something else."));
    record.diagnoses.clear();
    REQUIRE(has(plain(record), "It matches none of the mistakes known here."));
}

TEST_CASE("a pass is one line, with its time and what is still open") {
    Record record = sample_record();
    record.verdict = Verdict::AC;
    record.score = 30;
    record.crash.reset();
    record.smallest.reset();
    record.diagnoses.clear();
    for (LevelRecord& level : record.levels) {
        level.verdict = Verdict::AC;
        level.cases.clear();
    }
    record.bonus = 0;
    const std::string text = plain(record);
    CAPTURE(text);
    REQUIRE(has(text, "Accepted: every level passes."));
    REQUIRE(has(text, "30 of 30 points"));
    REQUIRE(has(flat(text), "judged in 0.01 s"));
    REQUIRE(has(text, "bonus is still open"));
    REQUIRE_FALSE(has(text, "Replay"));
}

TEST_CASE("a compile error shows the compiler's words and no table") {
    Record record = sample_record();
    record.verdict = Verdict::CE;
    record.levels.clear();
    record.compiler_output = "sdpa.cpp:3:1: error: nonsense\n";
    const std::string text = plain(record);
    REQUIRE(has(text, "sdpa.cpp:3:1: error: nonsense\n"));
    REQUIRE_FALSE(has(text, "hint"));
}

TEST_CASE("a fault of the judge is called one") {
    Record record = sample_record();
    record.verdict = Verdict::JE;
    REQUIRE(has(plain(record), "fault of Assay's"));
}

TEST_CASE("no line is wider than the terminal, commands to copy apart") {
    for (const int width : {60, 80, 100}) {
        TerminalOptions options;
        options.style.width = width;
        for (const std::string& line : lines_of(to_terminal(sample_record(), options)))
            if (!has(line, "Replay:")) REQUIRE(display_width(line) <= static_cast<std::size_t>(width));
    }
}

TEST_CASE("colour changes nothing but the colour") {
    TerminalOptions options;
    options.style.colour = true;
    REQUIRE(without_escapes(to_terminal(sample_record(), options)) == plain(sample_record()));
    REQUIRE(to_terminal(sample_record(), options) != plain(sample_record()));
}
