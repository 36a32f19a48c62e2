// assay exercise new: scaffolds an exercise that builds and passes `exercise verify` as it is.
#ifndef ASSAY_COMMANDS_EXERCISE_NEW_HPP
#define ASSAY_COMMANDS_EXERCISE_NEW_HPP

#include "commands/stop.hpp"
#include "report/style.hpp"

#include <string>

namespace assay {

struct ExerciseNewArguments {
    std::string id;
    ColorMode color = ColorMode::automatic;
};

Exit exercise_new_command(const ExerciseNewArguments& arguments);

} // namespace assay

#endif
