#include "timing/device_time.hpp"

#include "timing/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace assay::timing {

namespace {

/// An empty turn takes some 10 us. A thread of the attempt's can draw it out, to have more taken off its calls: no more
/// than this is.
constexpr double most_overhead = 50e-6;
/// What messages, and the copy of the results that the judge's clock sees as well, may take beyond the least seen
/// before that clock speaks against the worker's: so much, a tenth of the call, a fifth of the least.
constexpr double slack = 100e-6, slack_share = 0.1, slack_of_way = 0.2;
/// A device's timer counts half microseconds, by a crystal of its own.
constexpr double timer_step = 5e-6, timer_share = 0.01;

std::string text(double seconds) {
    return seconds < 1e-3 ? fmt::format("{:.3g} us", seconds * 1e6) : fmt::format("{:.3g} ms", seconds * 1e3);
}

double least(double so_far, double value, bool first) { return first ? value : std::min(so_far, value); }

} // namespace

double DeviceTime::overhead() const { return std::clamp(host_overhead_, 0.0, most_overhead); }

Outcome<double> DeviceTime::take(const DeviceTimes& times, double whole) {
    for (const DeviceTurn& turn : {times.empty, times.call}) {
        const auto impossible = [](double told) { return !std::isfinite(told) || told < 0; };
        if (impossible(turn.events) || impossible(turn.host))
            return Failure{
                Verdict::RTE, "its worker told a time that is none: an attempt may not touch the clocks", {}};
        if (turn.host > turn.judge || turn.events > turn.judge * (1 + timer_share) + timer_step)
            return Failure{Verdict::RTE,
                           fmt::format("its worker told {} for a call that was over after {} by the judge's clock: an "
                                       "attempt may not touch the clocks",
                                       text(std::max(turn.host, turn.events)), text(turn.judge)),
                           {}};
    }
    host_overhead_ = least(host_overhead_, times.empty.host, taken_.empty());
    judge_overhead_ = least(judge_overhead_, times.empty.judge, taken_.empty());
    events_.push_back(times.call.events);
    host_.push_back(times.call.host);
    judge_.push_back(times.call.judge);
    outside_.push_back(whole - times.empty.judge - times.call.judge);
    taken_.push_back(std::max(times.call.events, times.call.host - overhead()));
    return taken_.back();
}

std::string DeviceTime::doubt() const {
    if (taken_.empty()) return "";
    std::vector<double> unseen; // by the worker
    for (std::size_t i = 0; i < taken_.size(); ++i) unseen.push_back(judge_[i] - judge_overhead_ - taken_[i]);
    const double beyond = median(unseen), seen = median(judge_) - judge_overhead_;
    if (beyond <= slack + slack_share * seen + slack_of_way * judge_overhead_) return "";
    return fmt::format("its worker tells of {} a call, and the judge's clock saw {}: its clocks were touched, or this "
                       "machine is too busy to tell",
                       text(median(taken_)), text(seen));
}

std::string DeviceTime::remark() const {
    if (taken_.empty()) return "";
    std::vector<double> elsewhere;
    for (std::size_t i = 0; i < taken_.size(); ++i) elsewhere.push_back(taken_[i] - events_[i]);
    const double beyond = median(elsewhere), time = median(taken_);
    if (beyond <= timer_step + slack_share * time) return "";
    return fmt::format("the stream that it is given is busy for {} of its {}: what it does elsewhere (other streams, "
                       "the host) counts as well",
                       text(median(events_)), text(time));
}

DeviceClocks DeviceTime::clocks() const {
    return {median(events_), median(host_), median(judge_), host_overhead_, judge_overhead_, median(outside_)};
}

std::string doubt_outside(double outside, double least) {
    constexpr double slack_outside = 2e-3, share_outside = 0.2;
    if (outside <= least + slack_outside + share_outside * least) return "";
    return fmt::format("outside its calls it takes {} a round where another takes {}: what is done there belongs into "
                       "a call, or this machine is too busy to tell",
                       text(outside), text(least));
}

} // namespace assay::timing
