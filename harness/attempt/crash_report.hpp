// The two kinds of sanitiser report, taken apart.
#ifndef ASSAY_ATTEMPT_CRASH_REPORT_HPP
#define ASSAY_ATTEMPT_CRASH_REPORT_HPP

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct SanitiserReport {
    std::size_t line = 0;            // of the text in which it starts
    std::string kind;                // "heap-buffer-overflow"
    std::string where;               // "sdpa.cpp:31": the innermost frame of the attempt, or ""
    std::string what;                // "read of 4 bytes just past ..."
    std::vector<std::string> frames; // "sdpa.cpp:31 in sdpa::attention"
};

std::vector<std::string_view> split_lines(std::string_view text);

/// One line of a stack trace.
struct StackFrame {
    int number = 0;
    std::string function;
    std::string file; // as printed, without a leading "./"; "" where not known
    int line = 0;
    bool own = false;          // in the attempt's file or a header staged beside it
    std::string place() const; // "sdpa.cpp:31"
};

/// The frame that a line shows, or nothing. The attempt's own files are told by their relative paths: they are
/// compiled in their own folder, everything else by its full path.
std::optional<StackFrame> read_frame(std::string_view line, std::string_view source);

/// The attempt's frames of the stack trace that starts at or after `from`, innermost first.
std::vector<StackFrame> own_frames(const std::vector<std::string_view>& lines, std::size_t from,
                                   std::string_view source);

/// UndefinedBehaviorSanitizer's first report.
std::optional<SanitiserReport> read_undefined_behaviour(const std::vector<std::string_view>& lines,
                                                        std::string_view source);

/// AddressSanitizer's first report.
std::optional<SanitiserReport> read_address_report(const std::vector<std::string_view>& lines, std::string_view source);

} // namespace assay

#endif
