// assay exercise describe: a contract as JSON, for programs that call attempts or write about them.
#ifndef ASSAY_COMMANDS_EXERCISE_DESCRIBE_HPP
#define ASSAY_COMMANDS_EXERCISE_DESCRIBE_HPP

#include "commands/stop.hpp"
#include "report/style.hpp"

#include <string>

namespace assay {

struct ExerciseDescribeArguments {
    std::string exercise;
    ColorMode color = ColorMode::automatic;
};

Exit exercise_describe_command(const ExerciseDescribeArguments& arguments);

} // namespace assay

#endif
