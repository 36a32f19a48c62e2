// Growth in a record's document and in words.
#include "catch.hpp"
#include "report/cohort_view.hpp"
#include "report/growth.hpp"
#include "report/json.hpp"
#include "report/json_schema.hpp"
#include "report/junit.hpp"
#include "report/sample_record.hpp"
#include "report/speed.hpp"

using namespace assay;
using namespace assay::tests;

namespace {

GrowthRecord growth(double time_exponent) {
    GrowthRecord one;
    one.id = "sliding_window";
    one.dimension = "L";
    one.beside = "D = 2, a window of 4";
    one.matrix = "a matrix of all scores";
    one.otherwise = "the window is not used";
    one.lengths = {{1024, 0, 4194304, 3e-5}, {65536, 131072, 17179869184, std::nullopt}};
    one.memory = GrowthRecord::Measured{std::nullopt, false, ""};
    one.time =
        GrowthRecord::Measured{GrowthRecord::Exponent{time_exponent, time_exponent - 0.04, time_exponent + 0.05, 0.97},
                               time_exponent > 1.5, ""};
    return one;
}

SpeedRecord level(int reached) {
    SpeedRecord speed;
    speed.id = "growth";
    speed.title = "Time grows as L";
    speed.points = 10;
    speed.by_exponent = true;
    speed.thresholds = {1.2};
    speed.reached = reached;
    speed.earned = 10 * reached;
    return speed;
}

Record record(double exponent) {
    Record record = sample_record();
    record.growth = {growth(exponent)};
    record.speed = {level(exponent < 1.2 ? 1 : 0)};
    return record;
}

} // namespace

TEST_CASE("growth is read back as written, fits the schema, and stands after the timings") {
    const std::string text = to_json(record(1.02)), before = to_json(sample_record());
    CHECK(misfit_of(text, "data/record.schema.json") == "");
    const Outcome<Record> back = record_from_json(text);
    REQUIRE(back.ok());
    CHECK(to_json(*back) == text);
    CHECK(back->growth.front().time->exponent->high == Approx(1.07));
    CHECK(back->speed.front().by_exponent);
    CHECK(before.substr(0, before.find("\"timings\"")) == text.substr(0, text.find("\"timings\"")));
    std::string broken = text;
    broken.replace(broken.find("\"peak_bytes\": 0"), 15, "\"peak_bytes\":-1");
    CHECK(misfit_of(broken, "data/record.schema.json") != "");
}

TEST_CASE("growth in words: what is held, the exponent with its interval, and what a larger one shows") {
    Style style;
    style.width = 200; // no line breaks
    const std::string right = growth_text({growth(1.02)}, style);
    CHECK(right.find("peak memory 0.1 MiB at L = 65536, D = 2, a window of 4: O(L)") != std::string::npos);
    CHECK(right.find("would be 16.0 GiB") != std::string::npos);
    CHECK(right.find("time L^1.02 (0.98 to 1.07)\n") != std::string::npos);
    CHECK(right.find("not used") == std::string::npos);
    const std::string wrong = growth_text({growth(1.98)}, style);
    CHECK(wrong.find("time L^1.98 (1.94 to 2.03), wanted 1\n") != std::string::npos);
    CHECK(wrong.find("the window is not used.") != std::string::npos);
    GrowthRecord busy = growth(1);
    busy.time = GrowthRecord::Measured{std::nullopt, false, "this machine is too busy"};
    CHECK(growth_text({busy}, style).find("time: not measurable, this machine is too busy") != std::string::npos);
    CHECK(growth_text({}, style).empty());
}

TEST_CASE("a level by exponent says so in every report, and fails nobody") {
    CHECK(speed_text(level(1), Style{}).find("aims: L^1.2 reached") != std::string::npos);
    CHECK(speed_line(level(1), {growth(1.02)}) == "Time grows as L: L^1.02, 1 of 1 aim reached");
    GradedCohort cohort;
    cohort.units = {{"ada", record(1.02)}, {"bob", record(1.98)}};
    const std::string junit = junit_files(cohort).front().text;
    CHECK(junit.find("Timed. Time grows as L: L^1.02, 1 of 1 aim reached") != std::string::npos);
    CHECK(junit.find("message=\"no aim is reached\"") != std::string::npos);
    const std::string view = cohort_view_files(cohort).front().text;
    CHECK(view.find("| Time grows as L | 2 | L^1.98 | L^1.2: 50 % |") != std::string::npos);
}
