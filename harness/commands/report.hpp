// assay report: any format of a grading, later, from its records.
#ifndef ASSAY_COMMANDS_REPORT_HPP
#define ASSAY_COMMANDS_REPORT_HPP

#include "commands/stop.hpp"
#include "report/style.hpp"

#include <string>
#include <vector>

namespace assay {

struct ReportArguments {
    std::string results;
    std::vector<std::string> formats; // empty: the table on the terminal
    std::string out;                  // "" = into the results
    ColorMode color = ColorMode::automatic;
};

Exit report_command(const ReportArguments& arguments);

} // namespace assay

#endif
