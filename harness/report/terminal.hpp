// What a candidate sees of a record: the table of levels, and the first failure explained.
#ifndef ASSAY_REPORT_TERMINAL_HPP
#define ASSAY_REPORT_TERMINAL_HPP

#include "core/record.hpp"
#include "report/style.hpp"

#include <string>

namespace assay {

struct TerminalOptions {
    Style style;
    std::string target;          // what follows "assay check" to check this attempt again (quoted for a shell where it
                                 // must be); "" = the exercise's id
    std::string compiler_output; // diagnostics with the compiler's colours; "" = the record's plain ones
    std::size_t diagnostic_lines = 60;
    bool advice = true;             // how to replay, and what to do next
    std::size_t printed_lines = 12; // of what the attempt printed
};

/// The whole report, ending in a newline. Text that came from the attempt (what it printed, its exceptions) is made
/// safe to print. Nothing here decides a verdict.
std::string to_terminal(const Record& record, const TerminalOptions& options);

} // namespace assay

#endif
