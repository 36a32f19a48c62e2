// How far a long run is: a bar on a terminal, now and then a line elsewhere.
#ifndef ASSAY_COMMANDS_PROGRESS_LINE_HPP
#define ASSAY_COMMANDS_PROGRESS_LINE_HPP

#include "grade/engine.hpp"
#include "report/style.hpp"

#include <chrono>
#include <string>

namespace assay {

class ProgressLine {
  public:
    explicit ProgressLine(const Style& style);
    void show(const GradeProgress& now);
    /// Before anything else is printed.
    void clear();

  private:
    using Clock = std::chrono::steady_clock;
    const Style& style_;
    bool terminal_;
    Clock::time_point begun_, shown_{};
    std::size_t said_ = 0; // done when last said
    bool drawn_ = false;
};

/// "[####----]  40 of 100  3.2/s  19 s left": rate and time left from what this run has done in `seconds`.
std::string progress_text(const GradeProgress& now, double seconds, std::size_t width);

} // namespace assay

#endif
