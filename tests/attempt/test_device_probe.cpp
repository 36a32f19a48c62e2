#include "attempt/device_probe.hpp"

#include "catch.hpp"

#include <cstdlib>

using namespace assay;

TEST_CASE("a driver's devices are told, save one that does not answer", "[device]") {
    const DeviceProbe probe = probe_devices(ASSAY_STAND_IN_DRIVER);
    CHECK(probe.why.empty());
    CHECK(probe.library == ASSAY_STAND_IN_DRIVER);
    REQUIRE(probe.devices.size() == 1);
    CHECK(probe.devices[0].name == "Stand-in GPU");
    CHECK(probe.devices[0].architecture() == "sm_90");
    CHECK(probe.devices[0].memory == std::uint64_t{8} << 30);
}

TEST_CASE("why there is no device is told", "[device]") {
    CHECK(probe_devices("libassay-no-such-driver.so").why == "no CUDA driver (libcuda.so.1)");
    CHECK(probe_devices("libm.so.6").why == "the CUDA driver lacks the functions asked for");
    ::setenv("ASSAY_STAND_IN", "none", 1);
    const DeviceProbe none = probe_devices(ASSAY_STAND_IN_DRIVER);
    ::setenv("ASSAY_STAND_IN", "broken", 1);
    const DeviceProbe broken = probe_devices(ASSAY_STAND_IN_DRIVER);
    ::unsetenv("ASSAY_STAND_IN");
    CHECK(none.devices.empty());
    CHECK(none.why == "the CUDA driver shows no device");
    CHECK(broken.devices.empty());
    CHECK(broken.why == "the CUDA driver does not start (error 999)");
}
