// A timed level in words.
#ifndef ASSAY_REPORT_SPEED_HPP
#define ASSAY_REPORT_SPEED_HPP

#include "core/record.hpp"
#include "report/style.hpp"

#include <string>

namespace assay {

/// Its line with points, a line a case, and a line where something was refused; ends with an empty line.
std::string speed_text(const SpeedRecord& speed, const Style& style);

} // namespace assay

#endif
