// assay show: an exercise's statement, rendered for the terminal.
#ifndef ASSAY_COMMANDS_SHOW_HPP
#define ASSAY_COMMANDS_SHOW_HPP

#include "commands/stop.hpp"
#include "report/style.hpp"

#include <string>

namespace assay {

struct ShowArguments {
    std::string exercise;
    ColorMode color = ColorMode::automatic;
};

Exit show_command(const ShowArguments& arguments);

} // namespace assay

#endif
