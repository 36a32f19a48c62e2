// The runtime API answers as the real one does.
#include "cuda/emulation.hpp"
#include "cuda/kernels/api.hpp"
#include "cuda/kernels/wrong.hpp"

#include "catch.hpp"

using namespace assay::simt;

namespace {
constexpr int success = 0, invalid_value = 1, invalid_configuration = 9, invalid_device = 101, launch_failure = 719;
}

TEST_CASE("A launch configuration is checked") {
    trial::start(0);
    CHECK(launch_error(1, 1, 1, 1024, 1, 1, 0) == success);
    CHECK(launch_error(2, 2, 2, 2, 2, 2, 48 << 10) == success);
    CHECK(launch_error(0, 1, 1, 32, 1, 1, 0) == invalid_configuration);
    CHECK(launch_error(1, 0, 1, 32, 1, 1, 0) == invalid_configuration);
    CHECK(launch_error(1, 1, 1, 0, 1, 1, 0) == invalid_configuration);
    CHECK(launch_error(1, 1, 1, 1025, 1, 1, 0) == invalid_configuration);
    CHECK(launch_error(1, 1, 1, 33, 32, 1, 0) == invalid_configuration);
    CHECK(launch_error(1, 1, 1, 1, 1, 65, 0) == invalid_configuration);
    CHECK(launch_error(1, 65536, 1, 1, 1, 1, 0) == invalid_configuration);
    CHECK(launch_error(1, 1, 1, 65536, 65536, 1, 0) == invalid_configuration); // whose product is 0 in 32 bits
    CHECK(launch_error(1, 1, 1, 32, 1, 1, (48 << 10) + 1) == invalid_value);
    CHECK(launch_error(1, 1, 1, 32, 1, 1, 0) == success); // none of them sticks
}

TEST_CASE("More than 48 KiB of dynamic shared memory must be asked for") {
    trial::start(0);
    CHECK(opt_in(96 << 10, 96 << 10) == success);
    CHECK(opt_in(96 << 10, (96 << 10) + 4) == invalid_value);
    CHECK(opt_in(163 << 10, 163 << 10) == success);
    CHECK(opt_in((163 << 10) + 1, 128) == -1);
}

TEST_CASE("Memory, streams and events") {
    trial::start(0);
    const std::vector<float> in = trial::eighths(100);
    std::vector<float> out(100);
    REQUIRE(round_trip(in.data(), out.data(), 100) == success);
    for (std::size_t i = 0; i < 100; ++i) CHECK(out[i] == 2.0f * in[i]);
    CHECK(used().unfreed == 0);
    int errors[8];
    misuses(errors);
    const std::vector<int> expected = {invalid_value, invalid_value, invalid_value,  invalid_value,
                                       invalid_value, success,       invalid_device, invalid_value};
    CHECK(std::vector<int>(errors, errors + 8) == expected);
}

TEST_CASE("After a kernel failed, every call says so until a reset") {
    trial::start(0);
    traps();
    CHECK(launch_error(1, 1, 1, 32, 1, 1, 0) == launch_failure);
    CHECK(launch_error(1, 1, 1, 32, 1, 1, 0) == launch_failure);
    trial::start(0);
    CHECK(launch_error(1, 1, 1, 32, 1, 1, 0) == success);
}
