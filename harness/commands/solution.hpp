// assay solution: the solution with its walkthrough, after passing or with --reveal, which the state remembers.
#ifndef ASSAY_COMMANDS_SOLUTION_HPP
#define ASSAY_COMMANDS_SOLUTION_HPP

#include "commands/stop.hpp"
#include "report/style.hpp"

#include <string>

namespace assay {

struct SolutionArguments {
    std::string exercise; // "" = the attempt in this folder, else the exercise worked on last
    std::string language; // "cpp", "cuda" or "python"; "" = the attempt's, where it has a solution in that
    bool reveal = false;
    ColorMode color = ColorMode::automatic;
};

Exit solution_command(const SolutionArguments& arguments);

} // namespace assay

#endif
