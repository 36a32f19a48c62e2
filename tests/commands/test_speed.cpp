// Which thresholds of a timed level a ratio's interval reaches.
#include "catch.hpp"
#include "commands/speed.hpp"

using namespace assay;

namespace {

SpeedRecord speed(std::vector<double> highs) {
    SpeedRecord record;
    record.thresholds = {0.5, 0.8, 0.95};
    for (const double high : highs) {
        SpeedRecord::Case one;
        one.ratio = high - 0.02;
        one.low = high - 0.04;
        one.high = high;
        record.cases.push_back(one);
    }
    return record;
}

} // namespace

TEST_CASE("a threshold is reached by the interval's upper end, on every case", "[commands]") {
    CHECK(thresholds_reached(speed({0.49})) == 0);
    CHECK(thresholds_reached(speed({0.5})) == 1);
    CHECK(thresholds_reached(speed({0.94})) == 2);
    CHECK(thresholds_reached(speed({0.96})) == 3);
    CHECK(thresholds_reached(speed({3, 0.7})) == 1);
    CHECK(thresholds_reached(speed({})) == 0);
}

TEST_CASE("what was refused reaches nothing", "[commands]") {
    SpeedRecord record = speed({2, 2});
    record.cases[1].refused = "two processes of the same program differ by 4 %";
    CHECK(thresholds_reached(record) == 0);
}
