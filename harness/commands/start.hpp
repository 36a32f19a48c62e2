// assay start: lays a workspace that an editor with clangd understands; never overwrites an edited file.
#ifndef ASSAY_COMMANDS_START_HPP
#define ASSAY_COMMANDS_START_HPP

#include "commands/stop.hpp"
#include "report/style.hpp"

#include <string>

namespace assay {

struct StartArguments {
    std::string exercise;
    std::string folder; // "" = ./<exercise>
    std::string language = "cpp";
    ColorMode color = ColorMode::automatic;
};

Exit start_command(const StartArguments& arguments);

} // namespace assay

#endif
