// A program of a race whose calls run on a device: a worker that is timed there, and whose word is held to the judge's
// clock.
#ifndef ASSAY_COMMANDS_DEVICE_CONTESTANT_HPP
#define ASSAY_COMMANDS_DEVICE_CONTESTANT_HPP

#include "attempt/worker_attempt.hpp"
#include "core/exercise.hpp"
#include "timing/device_time.hpp"
#include "timing/race.hpp"

#include <string>

namespace assay {

class DeviceContestant final : public timing::Contestant {
  public:
    /// `setup` is that of a library built for a device, with `timed`.
    DeviceContestant(const Exercise& exercise, const Level& level, const WorkerSetup& setup)
        : level_(level), attempt_(exercise, setup) {}

    /// Answer::seconds is the time on the device (timing/device_time.hpp). Throws Stop (environment) where the device
    /// does not open.
    Outcome<Answer> ask(const Problem& problem) override;
    Outcome<double> empty_call() override { return 0.0; } // taken off in each call
    std::string doubt() const override { return time_.doubt(); }
    std::string remark() const override { return time_.remark(); }
    timing::DeviceClocks clocks() const { return time_.clocks(); }

  private:
    const Level& level_;
    WorkerAttempt attempt_;
    timing::DeviceTime time_;
    bool answered_ = false;
};

} // namespace assay

#endif
