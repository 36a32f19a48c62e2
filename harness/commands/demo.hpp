// assay demo: three bundled attempts, one right and two wrong, and what each is told.
#ifndef ASSAY_COMMANDS_DEMO_HPP
#define ASSAY_COMMANDS_DEMO_HPP

#include "commands/stop.hpp"
#include "report/style.hpp"

#include <string>

namespace assay {

struct DemoArguments {
    std::string compiler;
    std::string isolation; // the level that is required; "" = none
    ColorMode color = ColorMode::automatic;
};

Exit demo_command(const DemoArguments& arguments);

} // namespace assay

#endif
