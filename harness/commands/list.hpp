// assay list: exercises by topic, with their levels and your progress.
#ifndef ASSAY_COMMANDS_LIST_HPP
#define ASSAY_COMMANDS_LIST_HPP

#include "commands/stop.hpp"
#include "report/style.hpp"

namespace assay {

struct ListArguments {
    ColorMode color = ColorMode::automatic;
};

Exit list_command(const ListArguments& arguments);

} // namespace assay

#endif
