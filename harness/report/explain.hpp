// One finding, diagnosis or crash in words: the parts that terminal reports are put together from.
#ifndef ASSAY_REPORT_EXPLAIN_HPP
#define ASSAY_REPORT_EXPLAIN_HPP

#include "core/record.hpp"
#include "report/style.hpp"

#include <string>
#include <string_view>

namespace assay {

/// Six significant digits; "NaN", "+Infinity", "-Infinity".
std::string number_text(double value);

/// "out[0,2,5,0]": the tensor and the index of its element; the tensor alone where the finding has no index.
std::string element_text(const Finding& finding);

/// "out[0,2,5,0] is NaN, expected 0", one sentence without its full stop.
std::string sentence_of(const Finding& finding);

/// Got, expected, error, bound and plain error side by side; "" where the finding has no such numbers.
std::string figures_of(const Finding& finding, const Style& style, std::string_view indent);

/// The finding in full: sentence, how many and where, figures, map, note.
std::string explained(const Finding& finding, const Style& style, std::string_view indent);

} // namespace assay

#endif
