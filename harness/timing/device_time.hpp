// From what a device's worker tells of its calls, and what the judge saw of them, to their time. The attempt lives in
// the process that tells: no time is below what the judge's clock leaves room for, and none above it.
#ifndef ASSAY_TIMING_DEVICE_TIME_HPP
#define ASSAY_TIMING_DEVICE_TIME_HPP

#include "core/device_times.hpp"
#include "core/outcome.hpp"

#include <string>
#include <vector>

namespace assay::timing {

/// Medians over the calls, seconds.
struct DeviceClocks {
    double events = 0, host = 0, judge = 0;       // as in DeviceTurn
    double host_overhead = 0, judge_overhead = 0; // the least of an empty turn, by both clocks
    double outside = 0;                           // of the whole call by the judge's clock, what lies in neither turn
};

class DeviceTime {
  public:
    /// Seconds of the call: the longer of its events' time and the host's less an empty turn's, so that what runs on
    /// other streams counts. Failure (RTE): what is told cannot be.
    /// `whole`: the judge's clock from the call to its reply.
    Outcome<double> take(const DeviceTimes& times, double whole);

    /// Why the calls so far give no figure: the judge saw far longer ones. "" = they do.
    std::string doubt() const;
    /// What their clocks say of the attempt: most of the work is not on the stream that it was given. "" = nothing.
    std::string remark() const;
    DeviceClocks clocks() const;

  private:
    std::vector<double> events_, host_, judge_, taken_, outside_;
    double host_overhead_ = 0, judge_overhead_ = 0; // the least so far
    double overhead() const;
};

/// Outside their turns all contestants on one device do the same: copy, flush, look. Why one that takes so much longer
/// than `least`, the quickest one's median, has no figure; "" = it does not.
std::string doubt_outside(double outside, double least);

} // namespace assay::timing

#endif
