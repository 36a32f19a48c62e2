// This machine's limits: there, plausible, and never worse for being measured again.
#include "catch.hpp"
#include "roofline/ceilings.hpp"
#include "roofline/kernels.hpp"

using namespace assay;
using namespace assay::roofline;

TEST_CASE("limits are measured, and a second look only raises them") {
    if (usable_kernels().empty()) {
        CHECK_FALSE(LimitsMeter::make(1).ok());
        return;
    }
    const auto meter = LimitsMeter::make(2);
    REQUIRE(meter.ok());
    (*meter)->sample(0.01);
    const MachineLimits first = (*meter)->best();
    CHECK(first.threads == 2);
    CHECK(first.flops > 1e8); // a thousandth of a slow processor's
    CHECK(first.flops < 1e13);
    CHECK(first.exponentials > 1e6);
    CHECK(first.exponentials < first.flops);
    CHECK(first.bandwidth > 1e7);
    CHECK(first.kernels == usable_kernels().back()->name);
    CHECK(first.array_bytes > first.cache_bytes);
    (*meter)->sample(0.01);
    const MachineLimits again = (*meter)->best();
    CHECK(again.flops >= first.flops);
    CHECK(again.exponentials >= first.exponentials);
    CHECK(again.bandwidth >= first.bandwidth);
}
