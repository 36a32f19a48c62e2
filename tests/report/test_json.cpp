// The record's document: complete, deterministic, and readable back.
#include "catch.hpp"
#include "report/json.hpp"
#include "report/sample_record.hpp"

#include <cmath>

using namespace assay;
using namespace assay::tests;

TEST_CASE("a record written, read and written again gives the same bytes") {
    const std::string once = to_json(sample_record());
    const Outcome<Record> back = record_from_json(once);
    REQUIRE(back.ok());
    REQUIRE(to_json(*back) == once);
    REQUIRE(back->seed == 18446744073709551615u);
    REQUIRE(std::isnan(back->levels[1].cases[0].findings[0].got));
    REQUIRE(back->levels[1].cases[0].findings[0].plain_error < 0);
    REQUIRE(back->levels[1].cases[0].findings[1].plain_error == 3e-8);
    REQUIRE(back->smallest->calls == 37);
    REQUIRE(back->crash->where == "sdpa.cpp:31");
}

TEST_CASE("a record without smallest case, crash and levels") {
    Record record;
    record.exercise = "sdpa";
    record.verdict = Verdict::CE;
    record.compiler_output = "sdpa.cpp:1: error\n";
    const Outcome<Record> back = record_from_json(to_json(record));
    REQUIRE(back.ok());
    REQUIRE_FALSE(back->smallest.has_value());
    REQUIRE_FALSE(back->crash.has_value());
    REQUIRE(back->compiler_output == record.compiler_output);
}

TEST_CASE("NaN and infinities are texts, since JSON has none") {
    Record record = sample_record();
    record.levels[1].cases[0].findings[0].got = -INFINITY;
    record.levels[1].cases[0].findings[0].expected = INFINITY;
    const std::string text = to_json(record);
    REQUIRE(text.find("\"got\": \"-Infinity\"") != std::string::npos);
    REQUIRE(text.find("\"expected\": \"Infinity\"") != std::string::npos);
    REQUIRE(text.find("\"got\": \"NaN\"") != std::string::npos); // of the smallest case
    REQUIRE(record_from_json(text)->levels[1].cases[0].findings[0].got == -INFINITY);
}

TEST_CASE("timings come last, so that what must be equal stands before them") {
    Record slow = sample_record(), fast = sample_record();
    slow.times = {9999, 9999, false};
    const std::string a = to_json(slow), b = to_json(fast);
    REQUIRE(a.substr(0, a.find("\"timings\"")) == b.substr(0, b.find("\"timings\"")));
    REQUIRE(a.substr(a.find("\"timings\"")).find("\"levels\"") == std::string::npos);
}

TEST_CASE("bytes that are not UTF-8 make no invalid document") {
    Record record = sample_record();
    record.levels[1].cases[0].printed = "\xff\xfe";
    REQUIRE(record_from_json(to_json(record)).ok());
}

TEST_CASE("what is not a record is refused with the key at fault") {
    CHECK_FALSE(record_from_json(std::string(400, '6')).ok()); // beyond every number: found by fuzzing
    REQUIRE_FALSE(record_from_json("").ok());
    REQUIRE_FALSE(record_from_json("[]").ok());
    REQUIRE(record_from_json("{\"schema\": 1}").failure().reason.find("'exercise'") != std::string::npos);
    REQUIRE(record_from_json("{\"schema\": 99}").failure().reason.find("99") != std::string::npos);
    std::string text = to_json(sample_record());
    text.replace(text.find("\"WA\""), 4, "\"XX\"");
    REQUIRE(record_from_json(text).failure().reason.find("XX") != std::string::npos);
    text = to_json(sample_record());
    text.replace(text.find("\"score\": 10"), 11, "\"score\": \"\"");
    REQUIRE(record_from_json(text).failure().reason.find("'score'") != std::string::npos);
}
