// assay demo: a wrong attempt and what it is told, then a small cohort graded, hostile code among it.
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
