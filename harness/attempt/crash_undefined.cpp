// UndefinedBehaviorSanitizer's reports: "sdpa.cpp:31:12: runtime error: signed integer overflow: ...".
#include "attempt/crash_report.hpp"
#include "attempt/type_names.hpp"

#include <fmt/format.h>
#include <utility>

namespace assay {

namespace {

// In the order in which they are looked for in the message.
constexpr std::pair<std::string_view, std::string_view> kinds[] = {
    {"signed integer overflow", "signed-integer-overflow"},
    {"cannot be represented in type", "signed-integer-overflow"}, // negation, absolute value
    {"out of bounds for type", "index-out-of-bounds"},
    {"null pointer", "null-pointer"},
    {"division by zero", "division-by-zero"},
    {"shift", "invalid-shift"},
    {"misaligned address", "misaligned-access"},
    {"without returning a value", "missing-return"},
    {"unreachable program point", "unreachable-code"},
    {"not a valid value for type", "invalid-value"},
    {"outside the range of representable values", "float-cast-overflow"},
    {"pointer index expression", "pointer-overflow"},
    {"insufficient space for an object", "object-too-large"},
};

std::string kind_of(std::string_view message) {
    for (const auto& [part, kind] : kinds)
        if (message.find(part) != std::string_view::npos) return std::string(kind);
    return "undefined-behaviour";
}

} // namespace

std::optional<SanitiserReport> read_undefined_behaviour(const std::vector<std::string_view>& lines,
                                                        std::string_view source) {
    constexpr std::string_view mark = ": runtime error: ";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::size_t at = lines[i].find(mark);
        if (at == std::string_view::npos) continue;
        SanitiserReport report;
        report.line = i;
        const std::string_view message = lines[i].substr(at + mark.size());
        report.kind = kind_of(message);
        report.what = short_type(message);
        // Its place is written like that of a frame.
        const std::string as_frame = fmt::format("#0 0x0 in ? {}", lines[i].substr(0, at));
        if (const auto frame = read_frame(as_frame, source); frame && frame->own) report.where = frame->place();
        // A trace follows at once or not at all (it is printed on request); the fault may lie in a library header.
        if (i + 1 < lines.size() && read_frame(lines[i + 1], source)) {
            const std::vector<StackFrame> frames = own_frames(lines, i + 1, source);
            for (const StackFrame& frame : frames)
                report.frames.push_back(fmt::format("{} in {}", frame.place(), function_name(frame.function)));
            if (report.where.empty() && !frames.empty()) report.where = frames.front().place();
        }
        return report;
    }
    return std::nullopt;
}

} // namespace assay
