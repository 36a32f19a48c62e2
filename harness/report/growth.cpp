#include "report/growth.hpp"

#include "report/text.hpp"

#include <fmt/format.h>

namespace assay {

namespace {

std::string mebibytes(double bytes) {
    const double mib = bytes / (1 << 20);
    if (mib < 0.1) return "below 0.1 MiB";
    return mib < 1024 ? fmt::format("{:.1f} MiB", mib) : fmt::format("{:.1f} GiB", mib / 1024);
}

/// "L^1.02 (0.98 to 1.06)". Of fewer lengths than an interval takes, the slopes' range.
std::string power(const std::string& dimension, const GrowthRecord::Exponent& exponent) {
    const std::string base = dimension.find(' ') == std::string::npos ? dimension : "L";
    return fmt::format("{}^{:.2f} ({:.2f} to {:.2f}{})", base, exponent.value, exponent.low, exponent.high,
                       exponent.coverage > 0 ? "" : " between two lengths");
}

const GrowthRecord::Length* longest_with_peak(const GrowthRecord& growth) {
    const GrowthRecord::Length* longest = nullptr;
    for (const GrowthRecord::Length& one : growth.lengths)
        if (one.peak) longest = &one;
    return longest;
}

/// "peak memory 0.1 MiB at Lq = Lk = 1024, D = 8: O(L) (a matrix of scores would be 4.0 MiB)".
std::string memory_line(const GrowthRecord& growth, const Style& style) {
    const GrowthRecord::Measured& memory = *growth.memory;
    const GrowthRecord::Length* longest = longest_with_peak(growth);
    if (longest == nullptr) return "peak memory: " + printable(memory.reason);
    std::string grows = memory.beyond ? "more than O(L)" : "O(L)";
    if (memory.exponent) grows = power(growth.dimension, *memory.exponent) + (memory.beyond ? ", O(L) is enough" : "");
    return fmt::format("peak memory {} at {} = {}, {}: {} ({} would be {})",
                       mebibytes(static_cast<double>(*longest->peak)), growth.dimension, longest->length, growth.beside,
                       style.paint(memory.beyond ? Paint::yellow : Paint::green, grows), growth.matrix,
                       mebibytes(longest->matrix));
}

std::string time_text(const GrowthRecord& growth, const Style& style) {
    const GrowthRecord::Measured& time = *growth.time;
    if (!time.exponent) return "time: " + style.paint(Paint::yellow, "not measurable") + ", " + printable(time.reason);
    return "time " + style.paint(time.beyond ? Paint::yellow : Paint::green, power(growth.dimension, *time.exponent)) +
           (time.beyond ? ", wanted 1" : "");
}

} // namespace

std::string growth_text(const std::vector<GrowthRecord>& growth, const Style& style) {
    const auto width = static_cast<std::size_t>(style.width);
    std::string text;
    for (const GrowthRecord& one : growth) {
        const auto say = [&](const std::string& sentence) {
            text += wrapped(style.bold(one.id) + ": " + sentence, width, "  ", "    ");
        };
        if (one.memory) say(memory_line(one, style));
        if (one.time) say(time_text(one, style));
        if ((one.memory && one.memory->beyond) || (one.time && one.time->beyond))
            text += wrapped(printable(one.otherwise) + ".", width, style.paint(Paint::yellow, "    ▸ "), "      ");
    }
    return text.empty() ? "" : text + "\n";
}

std::string time_growth_line(const GrowthRecord& growth) {
    return growth.time ? growth.id + ": " + time_text(growth, Style{}) : "";
}

} // namespace assay
