// From a sanitiser's report to one sentence. A report of undefined behaviour that precedes a crash comes first: it is
// the likelier cause.
#include "attempt/crash.hpp"

#include "attempt/crash_report.hpp"

#include <fmt/format.h>

namespace assay {

namespace {

/// "heap-buffer-overflow, sdpa.cpp:31: read of 4 bytes ..."
std::string sentence(const SanitiserReport& report) {
    std::string text = report.kind;
    if (!report.where.empty()) text += ", " + report.where;
    if (!report.what.empty()) text += ": " + report.what;
    return text;
}

} // namespace

std::optional<Crash> parse_sanitiser_report(std::string_view text, std::string_view source) {
    const std::vector<std::string_view> lines = split_lines(text);
    const std::optional<SanitiserReport> behaviour = read_undefined_behaviour(lines, source);
    const std::optional<SanitiserReport> address = read_address_report(lines, source);
    if (!behaviour && !address) return std::nullopt;
    const bool cause_known = behaviour && (!address || behaviour->line < address->line);
    const SanitiserReport& first = cause_known ? *behaviour : *address;
    Crash crash{first.kind, first.where, sentence(first), first.frames};
    if (cause_known && address) {
        crash.summary += "; then " + (address->where == first.where ? address->kind : sentence(*address));
        if (crash.frames.size() < address->frames.size()) crash.frames = address->frames;
    }
    return crash;
}

} // namespace assay
