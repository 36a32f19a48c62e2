// The command line: what was typed becomes a command with its arguments.
#ifndef ASSAY_COMMANDS_COMMAND_LINE_HPP
#define ASSAY_COMMANDS_COMMAND_LINE_HPP

#include "commands/stop.hpp"

#include <string>
#include <vector>

namespace assay {

/// Parses and runs one command. Throws Stop as commands do.
Exit run_command_line(int argc, char** argv);

/// Parses alone: the sentence that these arguments (without the program's name) are refused with, "" where they are
/// taken.
std::string refusal_of(const std::vector<std::string>& arguments);

} // namespace assay

#endif
