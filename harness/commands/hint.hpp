// assay hint: the next hint for the first failing level.
#ifndef ASSAY_COMMANDS_HINT_HPP
#define ASSAY_COMMANDS_HINT_HPP

#include "commands/stop.hpp"
#include "report/style.hpp"

#include <string>

namespace assay {

struct HintArguments {
    std::string exercise; // "" = the attempt in this folder, else the exercise worked on last
    std::string level;    // id or number; "" = the first failing level
    ColorMode color = ColorMode::automatic;
};

Exit hint_command(const HintArguments& arguments);

} // namespace assay

#endif
