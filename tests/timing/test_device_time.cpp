// A device's times as its worker tells them, held to the judge's clock.
#include "catch.hpp"
#include "timing/device_time.hpp"

#include <limits>
#include <string>
#include <utility>

using namespace assay;
using namespace assay::timing;

namespace {

/// An honest call of so long: 12 us of events and waiting around it by the host's clock, 30 us of messages by the
/// judge's.
DeviceTimes honest(double seconds) {
    DeviceTimes times;
    times.empty = {3e-6, 12e-6, 42e-6};
    times.call = {seconds, seconds + 12e-6, seconds + 42e-6};
    return times;
}

std::string refusal_of(const DeviceTimes& times) {
    DeviceTime time;
    const Outcome<double> taken = time.take(times, 0.03);
    return taken ? "" : taken.failure().reason;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("an honest call takes what its events say, and its clocks are told", "[timing][device]") {
    DeviceTime time;
    for (int i = 0; i < 7; ++i) CHECK(*time.take(honest(1e-3 + 1e-6 * i), 0.03) == Approx(1e-3 + 1e-6 * i));
    CHECK(time.doubt() == "");
    CHECK(time.remark() == "");
    CHECK(time.clocks().events == Approx(1.003e-3));
    CHECK(time.clocks().host == Approx(1.015e-3));
    CHECK(time.clocks().judge == Approx(1.045e-3));
    CHECK(time.clocks().host_overhead == Approx(12e-6));
    CHECK(time.clocks().judge_overhead == Approx(42e-6));
    CHECK(time.clocks().outside == Approx(0.03 - 42e-6 - 1.045e-3));
}

TEST_CASE("work on a stream that the events do not see counts, and is told", "[timing][device]") {
    DeviceTime time;
    for (int i = 0; i < 7; ++i) {
        DeviceTimes hidden = honest(2e-3);
        hidden.call.events = 8e-6;
        CHECK(*time.take(hidden, 0.03) == Approx(2e-3));
    }
    CHECK(time.doubt() == "");
    CHECK(time.remark() == "the stream that it is given is busy for 8 us of its 2 ms: what it does elsewhere (other "
                           "streams, the host) counts as well");
    DeviceTime small; // the host's part of a short call is no remark
    for (int i = 0; i < 7; ++i) {
        DeviceTimes times = honest(60e-6);
        times.call.events = 54e-6;
        REQUIRE(small.take(times, 0.03).ok());
    }
    CHECK(small.remark() == "");
}

TEST_CASE("an empty turn that is drawn out takes no more than 50 us off a call", "[timing][device]") {
    DeviceTime time;
    DeviceTimes times = honest(1e-3);
    times.empty = {900e-6, 900e-6, 950e-6};
    times.call.events = 5e-6;
    CHECK(*time.take(times, 0.03) == Approx(1.012e-3 - 50e-6));
    CHECK(*time.take(honest(1e-3), 0.03) == Approx(1e-3)); // the least one counts
    CHECK(*time.take(times, 0.03) == Approx(1e-3));
}

TEST_CASE("a worker that tells more than the judge saw is refused", "[timing][device]") {
    DeviceTimes longer = honest(1e-3);
    longer.call.host = 1.1e-3;
    CHECK(refusal_of(longer) ==
          "its worker told 1.1 ms for a call that was over after 1.04 ms by the judge's clock: an "
          "attempt may not touch the clocks");
    DeviceTimes events = honest(1e-3);
    events.call.events = 1.1e-3;
    CHECK(has(refusal_of(events), "told 1.1 ms"));
    events.call.events = events.call.judge * 1.005; // a crystal of its own
    CHECK(refusal_of(events) == "");
    DeviceTimes empty = honest(1e-3);
    empty.empty.host = 50e-6;
    CHECK(has(refusal_of(empty), "told 50 us for a call that was over after 42 us"));
}

TEST_CASE("what is no time is refused", "[timing][device]") {
    for (const double none : {-1e-9, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        for (double DeviceTurn::*part : {&DeviceTurn::events, &DeviceTurn::host})
            for (DeviceTurn DeviceTimes::*turn : {&DeviceTimes::empty, &DeviceTimes::call}) {
                DeviceTimes times = honest(1e-3);
                times.*turn.*part = none;
                CHECK(has(refusal_of(times), "told a time that is none"));
            }
}

TEST_CASE("a worker that tells far less than the judge saw gives no figure", "[timing][device]") {
    DeviceTime forged;
    for (int i = 0; i < 7; ++i) {
        DeviceTimes times = honest(1e-3);
        times.call.events = 100e-6;
        times.call.host = 112e-6;
        REQUIRE(forged.take(times, 0.03).ok());
    }
    CHECK(forged.doubt() == "its worker tells of 100 us a call, and the judge's clock saw 1 ms: its clocks were "
                            "touched, or this machine is too busy to tell");
    DeviceTime busy; // one message that was late is no doubt
    for (int i = 0; i < 7; ++i) {
        DeviceTimes times = honest(1e-3);
        if (i == 3) times.call.judge = 0.5;
        REQUIRE(busy.take(times, 0.03).ok());
    }
    CHECK(busy.doubt() == "");
    CHECK(DeviceTime().doubt() == "");
    CHECK(DeviceTime().remark() == "");
}

TEST_CASE(
    "what can be hidden from the judge's clock is a tenth of a millisecond, a tenth of a call, a fifth of the way",
    "[timing][device]") {
    for (const auto& [beyond, doubted] : {std::pair{0.20e-3, false}, std::pair{0.23e-3, true}}) {
        DeviceTime time;
        for (int i = 0; i < 7; ++i) {
            DeviceTimes times = honest(1e-3 - beyond);
            times.call.judge = 1.042e-3;
            REQUIRE(time.take(times, 0.03).ok());
        }
        INFO(beyond);
        CHECK(time.doubt().empty() != doubted);
    }
}

TEST_CASE("far more time outside its calls than another takes is told", "[timing][device]") {
    CHECK(doubt_outside(30e-3, 30e-3) == "");
    CHECK(doubt_outside(37.9e-3, 30e-3) == "");
    CHECK(doubt_outside(38.1e-3, 30e-3) == "outside its calls it takes 38.1 ms a round where another takes 30 ms: what "
                                           "is done there belongs into a call, or this machine is too busy to tell");
}
