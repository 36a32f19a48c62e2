// One piece of a GPU's work, timed: batches long enough for the clocks, a warm-up until the device's own has settled,
// samples, and the device's events held to the host's clock.
#ifndef ASSAY_ROOFLINE_GPU_METER_HPP
#define ASSAY_ROOFLINE_GPU_METER_HPP

#include "roofline/gpu.hpp"
#include "roofline/measure.hpp"

#include <string>

namespace assay::roofline {

/// A rate by the device's events, or why there is none.
struct GpuRate {
    Spread spread;         // FLOP/s, or bytes/s
    bool settled = false;  // the device's clock, before the first sample
    double host_ratio = 0; // the host's time over the events', median
    double error = 0;      // GpuWork::error
    std::string refused;   // one sentence; "" = there is a rate

    double median() const { return refused.empty() ? spread.median : 0; }
};

/// Reads no clock: time is what the runs themselves say that they took, so that a made-up GPU brings its own.
class GpuMeter {
  public:
    /// To be run for so many seconds, though never for fewer than seven samples.
    GpuMeter(GpuWork& work, double seconds);

    /// The rate of `amount` a run. Throws GpuFault, as do all.
    GpuRate measure(double amount);
    /// Seconds of one run, by few of them.
    double estimate();

  private:
    GpuTime sample();
    void calibrate();
    bool settle();

    GpuWork& work_;
    double seconds_, batch_;
    int count_ = 1;   // runs a batch
    double used_ = 0; // seconds
};

} // namespace assay::roofline

#endif
