// How long a Slurm controller that does not answer is waited for: a little longer each time, up to a limit.
#ifndef ASSAY_GRADE_SLURM_SILENCE_HPP
#define ASSAY_GRADE_SLURM_SILENCE_HPP

#include "core/outcome.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace assay {

class SlurmSilence {
  public:
    using Time = std::chrono::milliseconds;

    /// `pause` waits, and is false where a stop came.
    SlurmSilence(Time poll, Time patience, std::function<bool(Time)> pause,
                 std::function<void(const std::string&)> note);

    /// After a question that failed. False where the wait is over: a stop, or too long.
    bool wait(const std::string& said);
    void broken();
    /// SKIP: why it was given up.
    Failure failure() const;

  private:
    using Clock = std::chrono::steady_clock;
    Time poll_, patience_, next_;
    std::function<bool(Time)> pause_;
    std::function<void(const std::string&)> note_;
    Clock::time_point begun_;
    bool told_ = false;
    std::string said_;
};

} // namespace assay

#endif
