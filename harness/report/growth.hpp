// How memory and time of an attempt's functions grow, in a few lines.
#ifndef ASSAY_REPORT_GROWTH_HPP
#define ASSAY_REPORT_GROWTH_HPP

#include "core/record.hpp"
#include "report/style.hpp"

#include <string>
#include <vector>

namespace assay {

/// A line for each function's memory and one for its time, and an empty one after the last; "" for none.
std::string growth_text(const std::vector<GrowthRecord>& growth, const Style& style);

/// The time alone, without colours or line breaks: "sliding_window: time L^1.02 (0.98 to 1.06)"; "" where it was not
/// measured.
std::string time_growth_line(const GrowthRecord& growth);

} // namespace assay

#endif
