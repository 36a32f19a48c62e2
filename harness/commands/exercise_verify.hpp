// assay exercise verify: every named mistake rejected and named, every right answer accepted.
#ifndef ASSAY_COMMANDS_EXERCISE_VERIFY_HPP
#define ASSAY_COMMANDS_EXERCISE_VERIFY_HPP

#include "commands/stop.hpp"
#include "report/style.hpp"

#include <string>

namespace assay {

struct ExerciseVerifyArguments {
    std::string exercise;
    bool all = false;
    std::string compiler;
    std::string isolation; // the level that is required; "" = none
    ColorMode color = ColorMode::automatic;
};

Exit exercise_verify_command(const ExerciseVerifyArguments& arguments);

} // namespace assay

#endif
