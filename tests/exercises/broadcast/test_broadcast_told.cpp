// What a candidate with several mistakes at once is told: one item after another, each with the mistake that gives it.
#include "exercises/broadcast/ask.hpp"
#include "judge/check.hpp"
#include "judge/oracle_attempt.hpp"

using namespace assay;
using namespace assay::broadcast_test;

namespace {

std::string told(const Slips& slips, const char* level) {
    OracleAttempt attempt(broadcast(), [&](const Problem& problem) { return broadcast().combined(problem, slips); });
    CheckOptions options;
    options.level = level;
    Record record;
    REQUIRE(check(broadcast(), attempt, options, {}, record));
    std::string ids;
    for (const Diagnosis& one : record.diagnoses) ids += (ids.empty() ? "" : ", ") + one.mistake;
    return ids;
}

} // namespace

TEST_CASE("two mistakes are told as two") {
    CHECK(told({{"bits-for-bytes", 0}, {"two-slots-a-level", 1}}, "closed-forms") ==
          "bits-for-bytes+two-slots-a-level");
    CHECK(told({{"ms-as-seconds", 0}, {"real-rounded", 1}}, "best-chunks") == "ms-as-seconds+real-rounded");
    CHECK(told({{"uplink-not-divided", 0}, {"narrow-inside", 0}}, "racks") == "uplink-not-divided+narrow-inside");
}

TEST_CASE("three mistakes are told item by item, also where one of them has several forms") {
    CHECK(told({{"bits-for-bytes", 0}, {"first-chunk-twice", 0}, {"two-slots-a-level", 1}}, "closed-forms") ==
          "bits-for-bytes+source-as-receiver/first-chunk-twice+two-slots-a-level");
}
