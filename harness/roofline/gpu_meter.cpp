#include "roofline/gpu_meter.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace assay::roofline {

namespace {

constexpr std::size_t fewest_samples = 7, most_samples = 201;
constexpr int most_runs = 10'000;
constexpr double longest_batch = 20e-3; // a launch and a wait, tens of microseconds, vanish in it
constexpr std::size_t group = 3;        // batches that are looked at together
constexpr double still = 0.01;          // a settled clock's change from one group to the next
constexpr double clocks_differ = 0.10;

double middle(std::vector<double> values) { return spread_of(std::move(values)).median; }

std::string ms(double seconds) { return fmt::format("{:.4g} ms", seconds * 1e3); }

} // namespace

GpuMeter::GpuMeter(GpuWork& work, double seconds)
    : work_(work), seconds_(seconds), batch_(std::clamp(seconds / 25, 1e-3, longest_batch)) {}

GpuTime GpuMeter::sample() {
    const GpuTime time = work_.run(count_);
    used_ += std::max(time.host, time.events);
    return time;
}

/// As many runs as fill a batch. The first run also loads code, for which no time was set aside, and tells nothing.
void GpuMeter::calibrate() {
    count_ = 1;
    work_.run(1);
    for (;;) {
        const GpuTime time = sample();
        const double took = std::max({time.events, time.host, 1e-9});
        if (took >= batch_ / 2 || count_ == most_runs) return;
        const double more = std::clamp(batch_ / took, 2.0, 10.0); // a first guess may hold a start-up's time
        count_ = std::min(most_runs, static_cast<int>(std::ceil(count_ * more)));
    }
}

/// A GPU raises its clock when work comes, and lowers it again when power or heat tells it to. At most half the time.
bool GpuMeter::settle() {
    std::vector<double> seen;
    while (seen.size() < 2 * group || used_ < seconds_ / 2) {
        seen.push_back(sample().events);
        if (seen.size() < 2 * group) continue;
        const auto end = seen.end();
        const auto last = end - group, before = last - group;
        if (std::abs(middle({last, end}) / middle({before, last}) - 1) < still) return true;
    }
    return false;
}

double GpuMeter::estimate() {
    calibrate();
    return sample().events / count_;
}

GpuRate GpuMeter::measure(double amount) {
    GpuRate rate;
    calibrate();
    rate.settled = settle();
    std::vector<double> rates, ratios, events, hosts;
    while (rates.size() < fewest_samples || (used_ < seconds_ && rates.size() < most_samples)) {
        const GpuTime time = sample();
        rates.push_back(amount * count_ / time.events);
        ratios.push_back(time.host / time.events);
        events.push_back(time.events);
        hosts.push_back(time.host);
    }
    rate.spread = spread_of(rates);
    rate.host_ratio = middle(ratios);
    if (!(middle(events) > 0))
        rate.refused = "the device's events tell no time: update the driver, and measure again";
    else if (!(std::abs(rate.host_ratio - 1) <= clocks_differ))
        rate.refused =
            fmt::format("{} took {} by the device's events and {} by this machine's clock, more than {:.0f} % "
                        "apart: end what else runs here, and measure again",
                        count_ == 1 ? "a run" : fmt::format("{} runs", count_), ms(middle(events)), ms(middle(hosts)),
                        100 * clocks_differ);
    rate.error = work_.error();
    return rate;
}

} // namespace assay::roofline
