// The least time of a problem on a machine of known limits.
#include "catch.hpp"
#include "timing/floor.hpp"

using namespace assay;
using namespace assay::timing;

namespace {

roofline::MachineLimits machine() {
    roofline::MachineLimits limits;
    limits.flops = 100e9;
    limits.exponentials = 10e9;
    limits.bandwidth = 20e9;
    limits.cache_bytes = 8'000'000;
    limits.array_bytes = 32'000'000;
    return limits;
}

} // namespace

TEST_CASE("arithmetic adds up, memory runs beside it, and the longer one is the floor", "[timing]") {
    const Floor compute = floor_of({2e9, 1e8, 4e6, 0}, machine());
    CHECK(compute.compute == Approx(0.03)); // 20 ms of FLOP, 10 ms of exponentials
    CHECK(compute.memory == 0);             // all of it may lie in a cache
    CHECK(compute.seconds() == Approx(0.03));
    CHECK_FALSE(compute.by_memory());
    const Floor memory = floor_of({1e8, 1e6, 408e6, 0}, machine());
    CHECK(memory.memory == Approx(0.02)); // but for the 8 MB that a cache may hold
    CHECK(memory.by_memory());
    CHECK(memory.seconds() == Approx(0.02));
}

TEST_CASE("limits that are not known give no floor", "[timing]") {
    CHECK(floor_of({2e9, 1e8, 1e9, 0}, {}).seconds() == 0);
    roofline::MachineLimits narrow = machine();
    narrow.array_bytes = 12'000'000; // what was measured may have been a cache
    CHECK(floor_of({1e8, 1e6, 408e6, 0}, narrow).memory == 0);
    narrow = machine();
    narrow.cache_bytes = 0;
    CHECK(floor_of({1e8, 1e6, 408e6, 0}, narrow).memory == 0);
}

TEST_CASE("on a device all inputs come from memory, and what is written may stay in its cache", "[timing]") {
    const Cost cost{2e9, 1e8, 408e6, 0};
    const Floor floor = floor_of(cost, 8e6, DeviceFloor{100e9, 20e9, "a data sheet"});
    CHECK(floor.compute == Approx(0.02)); // exponentials are not counted
    CHECK(floor.memory == Approx(0.02));
    CHECK(floor_of(cost, 8e6, DeviceFloor{0, 20e9, ""}).by_memory());
    CHECK(floor_of(cost, 8e6, DeviceFloor{}).seconds() == 0);
    CHECK(floor_of(cost, 500e6, DeviceFloor{100e9, 20e9, ""}).memory == 0);
}
