#include "commands/progress_line.hpp"

#include "commands/print.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace assay {

namespace {

std::string duration(double seconds) {
    if (seconds < 90) return fmt::format("{:.0f} s", seconds);
    if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
}

} // namespace

std::string progress_text(const GradeProgress& now, double seconds, std::size_t width) {
    const double share = now.all == 0 ? 1 : static_cast<double>(now.done) / static_cast<double>(now.all);
    const std::size_t done = now.done - now.before;
    std::string text = fmt::format("{} of {}", now.done, now.all);
    if (done > 0 && seconds > 0) {
        const double rate = static_cast<double>(done) / seconds;
        text += fmt::format("  {:.1f}/s", rate);
        if (now.done < now.all)
            text += fmt::format("  {} left", duration(static_cast<double>(now.all - now.done) / rate));
    }
    const std::size_t room = width > text.size() + 16 ? std::min<std::size_t>(width - text.size() - 6, 40) : 0;
    if (room == 0) return text;
    const auto filled = static_cast<std::size_t>(share * static_cast<double>(room));
    return "[" + std::string(filled, '#') + std::string(room - filled, '-') + "]  " + text;
}

ProgressLine::ProgressLine(const Style& style)
    : style_(style), terminal_(isatty(STDERR_FILENO) == 1), begun_(Clock::now()) {}

void ProgressLine::show(const GradeProgress& now) {
    const Clock::time_point time = Clock::now();
    const double seconds = std::chrono::duration<double>(time - begun_).count();
    if (terminal_) {
        if (drawn_ && time - shown_ < std::chrono::milliseconds(100)) return;
        fmt::print(stderr, "\r\x1b[K{}", progress_text(now, seconds, static_cast<std::size_t>(style_.width)));
        std::fflush(stderr);
        shown_ = time;
        drawn_ = true;
        return;
    }
    // Elsewhere a line at every tenth, and one a minute for those who wonder.
    const bool tenth = now.all > 0 && now.done * 10 / now.all > said_ * 10 / now.all;
    if (now.done == said_ || (!tenth && time - shown_ < std::chrono::minutes(1))) return;
    fmt::print(stderr, "assay: {}\n", progress_text(now, seconds, 0));
    shown_ = time;
    said_ = now.done;
}

void ProgressLine::clear() {
    if (!drawn_) return;
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
    drawn_ = false;
}

} // namespace assay
