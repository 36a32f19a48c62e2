// A record with something in every field, for tests of the reports.
#ifndef ASSAY_TESTS_REPORT_SAMPLE_RECORD_HPP
#define ASSAY_TESTS_REPORT_SAMPLE_RECORD_HPP

#include "core/record.hpp"

#include <limits>

namespace assay::tests {

inline Finding nan_finding() {
    Finding finding;
    finding.kind = FindingKind::nan;
    finding.tensor = "out";
    finding.where = {0, 2, 5, 0};
    finding.got = std::numeric_limits<double>::quiet_NaN();
    finding.expected = 0;
    finding.error = std::numeric_limits<double>::quiet_NaN();
    finding.bound = 1e-7;
    finding.wrong = 3;
    finding.total = 240;
    finding.place = "every element of rows i = 5";
    finding.map = {"....", "xxxx"};
    finding.note = "";
    return finding;
}

inline Finding value_finding() {
    Finding finding = nan_finding();
    finding.kind = FindingKind::value;
    finding.got = 0.5;
    finding.expected = 0.25;
    finding.error = 0.25;
    finding.bound = 1e-6;
    finding.plain_error = 3e-8;
    finding.map.clear();
    return finding;
}

/// Level 1 passes, level 2 fails with NaN, level 3 is skipped, a bonus passes.
inline Record sample_record() {
    Record record;
    record.exercise = "sdpa";
    record.title = "Scaled dot-product attention";
    record.exercise_version = 3;
    record.exercise_hash = "0123456789abcdef";
    record.source = "sdpa.cpp";
    record.source_hash = "feed";
    record.seed = 18446744073709551615u;
    record.verdict = Verdict::WA;
    record.score = 10;
    record.max_score = 30;
    record.bonus = 5;
    record.max_bonus = 5;
    record.solution_revealed = true;
    record.levels = {
        {"formula", 1, "The formula", true, 10, 10, Verdict::AC, "", {{"one", "why one", Verdict::AC, "", {}, ""}}},
        {"empty",
         2,
         "Empty rows",
         true,
         10,
         0,
         Verdict::WA,
         "",
         {{"two",
           "a row with nothing to attend",
           Verdict::WA,
           "",
           {nan_finding(), value_finding()},
           "hello \x1b[31mred\x1b[0m\nworld\n"}}},
        {"last", 3, "Last", true, 10, 0, Verdict::SKIP, "needs level 2 (Empty rows), which is not passed", {}},
        {"more", 4, "More", false, 5, 5, Verdict::AC, "", {}}};
    record.diagnoses = {{"empty-row-nan", "your output matches a row of all -inf through softmax"}};
    Smallest smallest;
    smallest.level = "empty";
    smallest.spec = "two@Lq:0@Lk:0";
    smallest.inputs = {"q (1, 1, 1, 1) float32 = 1", "mask (1, 1, 1, 1) bool = 0"};
    smallest.dimensions = "Lq = 1, Lk = 1";
    smallest.finding = nan_finding();
    smallest.replay = "assay check sdpa --case two@Lq:0@Lk:0";
    smallest.calls = 37;
    record.smallest = smallest;
    record.crash = Crash{"heap-buffer-overflow",
                         "sdpa.cpp:31",
                         "heap-buffer-overflow, sdpa.cpp:31: it read 4 bytes past a block",
                         {"attention sdpa.cpp:31"}};
    record.notes = {"a note"};
    record.environment = {"0.1.0",  "g++ 12.2.0",        "-std=c++20 -O2", "mold",        "cpu",
                          "limits", {"user", "seccomp"}, {"landlock"},     "Linux x86_64"};
    record.times = {123.5, 7.25, 1.5, true};
    return record;
}

} // namespace assay::tests

#endif
