// The first failure of a record, explained: what is wrong, which mistake it looks like, the smallest case, how to see
// it again.
#ifndef ASSAY_REPORT_FAILURE_HPP
#define ASSAY_REPORT_FAILURE_HPP

#include "core/record.hpp"
#include "report/terminal.hpp"

#include <string>

namespace assay {

/// Paragraphs, each followed by an empty line. `first` points into `record`.
std::string failure_text(const Record& record, const FirstFailure& first, const TerminalOptions& options);

} // namespace assay

#endif
