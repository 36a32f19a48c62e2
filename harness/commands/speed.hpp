// The timed levels of an exercise, which stand outside verdict and score.
#ifndef ASSAY_COMMANDS_SPEED_HPP
#define ASSAY_COMMANDS_SPEED_HPP

#include "core/record.hpp"
#include "sandbox/layers.hpp"

#include <filesystem>
#include <string>

namespace assay {

struct SpeedRequest {
    std::filesystem::path source;
    std::string compiler; // name or path; "" = the first found
    double seconds = 10;  // a bench
    const Layers* layers = &layers_here();
};

/// Times the attempt of `record` beside the solution, and on longer and longer problems, and enters growth and the
/// timed levels; each is not timed, with its reason, unless the verdict is AC. Nothing is entered where the exercise
/// has none. Throws Stop as run_check does.
void enter_speed(const SpeedRequest& request, Record& record);

/// How many of the thresholds a ratio's interval reaches on every case, by its upper end; 0 where any was refused.
int thresholds_reached(const SpeedRecord& speed);

} // namespace assay

#endif
