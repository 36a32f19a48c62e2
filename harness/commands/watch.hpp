// assay watch: checks at every save, until Ctrl-C.
#ifndef ASSAY_COMMANDS_WATCH_HPP
#define ASSAY_COMMANDS_WATCH_HPP

#include "commands/stop.hpp"
#include "report/style.hpp"

#include <string>

namespace assay {

struct WatchArguments {
    std::string attempt;  // as for check
    std::string exercise; // as for check
    std::string compiler;
    std::string isolation; // the level that is required; "" = none
    bool poll = false;     // do not use inotify
    ColorMode color = ColorMode::automatic;
};

Exit watch_command(const WatchArguments& arguments);

} // namespace assay

#endif
