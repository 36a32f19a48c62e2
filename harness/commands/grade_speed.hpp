// assay grade --speed: the timed levels of what passes, after the grading, one at a time and alone on the machine.
#ifndef ASSAY_COMMANDS_GRADE_SPEED_HPP
#define ASSAY_COMMANDS_GRADE_SPEED_HPP

#include "grade/plan.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace assay {

/// Times each accepted unit of the plan whose record in `out` has no timed levels yet, and writes the record anew.
/// `stopped` is asked before each; `begun` hears of it. Gives a sentence for each that could not be timed.
std::vector<std::string> time_accepted(const Plan& plan, const std::filesystem::path& out,
                                       const std::function<bool()>& stopped,
                                       const std::function<void(std::size_t done, std::size_t all)>& begun);

} // namespace assay

#endif
