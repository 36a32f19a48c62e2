// Reads a sanitiser's report for what a candidate wants to know: what kind of fault, in which line of the attempt.
#ifndef ASSAY_ATTEMPT_CRASH_HPP
#define ASSAY_ATTEMPT_CRASH_HPP

#include "core/record.hpp"

#include <optional>
#include <string_view>

namespace assay {

/// Understands AddressSanitizer's and UndefinedBehaviorSanitizer's text from g++ and clang++. `source` is the attempt's
/// file name: the innermost frame in it (or in a header staged beside it) is `where`. Nothing where the text holds no
/// report.
std::optional<Crash> parse_sanitiser_report(std::string_view text, std::string_view source);

} // namespace assay

#endif
