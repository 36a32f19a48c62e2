// A timed level in words.
#ifndef ASSAY_REPORT_SPEED_HPP
#define ASSAY_REPORT_SPEED_HPP

#include "core/record.hpp"
#include "report/style.hpp"

#include <optional>
#include <string>
#include <vector>

namespace assay {

/// Its line with points, a line a case, and a line where something was refused; ends with an empty line.
std::string speed_text(const SpeedRecord& speed, const Style& style);

/// The figure that counts: the least ratio, or the largest exponent; nothing where one was refused or nothing timed.
std::optional<double> speed_figure(const SpeedRecord& speed, const std::vector<GrowthRecord>& growth);

/// "As fast as the solution: 0.83x, 2 of 3 aims reached"; plain.
std::string speed_line(const SpeedRecord& speed, const std::vector<GrowthRecord>& growth);

} // namespace assay

#endif
