// The record as one JSON document (data/record.schema.json), and back.
#ifndef ASSAY_REPORT_JSON_HPP
#define ASSAY_REPORT_JSON_HPP

#include "core/outcome.hpp"
#include "core/record.hpp"

#include <string>
#include <string_view>

namespace assay {

/// Indented by two, keys in a fixed order, a newline at the end. NaN and infinities are the strings "NaN", "Infinity",
/// "-Infinity"; bytes that are not UTF-8 become U+FFFD. All that may differ between two runs of the same sources stands
/// in `timings`.
std::string to_json(const Record& record);

/// Reads what to_json wrote. Failure (verdict SKIP): one sentence that names the key at fault.
Outcome<Record> record_from_json(std::string_view text);

} // namespace assay

#endif
