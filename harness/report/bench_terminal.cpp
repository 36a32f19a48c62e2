// A table of times, a bar a contestant up to the machine's limit, and what was refused and why.
#include "report/bench.hpp"

#include "report/roofline.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace assay {

namespace {

using Contestant = BenchReport::Contestant;

std::string bytes_text(double bytes) {
    if (bytes < 1024 * 1024) return fmt::format("{:.0f} KiB", bytes / 1024);
    const double mib = bytes / (1 << 20);
    return mib < 1024 ? fmt::format("{:.3g} MiB", mib) : fmt::format("{:.3g} GiB", mib / 1024);
}

/// Three digits, as many as an interval leaves worth printing.
std::string digits(double value) { return fmt::format("{:.{}f}", value, value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2); }

/// "12.3 ms".
std::string short_time(double seconds) {
    if (seconds < 1e-3) return digits(seconds * 1e6) + " us";
    if (seconds < 1) return digits(seconds * 1e3) + " ms";
    return digits(seconds) + " s";
}

/// "12.1 to 12.9 ms", in the unit of the upper end.
std::string interval_text(const timing::Interval& interval) {
    const double scale = interval.high < 1e-3 ? 1e6 : interval.high < 1 ? 1e3 : 1;
    const char* unit = interval.high < 1e-3 ? "us" : interval.high < 1 ? "ms" : "s";
    return fmt::format("{} to {} {}", digits(interval.low * scale), digits(interval.high * scale), unit);
}

std::string bar(double share, std::size_t columns) {
    static constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const double filled = std::clamp(share, 0.0, 1.0) * static_cast<double>(columns);
    const auto whole = static_cast<std::size_t>(filled);
    std::string text;
    for (std::size_t i = 0; i < whole; ++i) text += "█";
    return text + eighths[static_cast<std::size_t>((filled - std::floor(filled)) * 8)];
}

class CaseText {
  public:
    CaseText(const BenchReport& report, const BenchReport::Case& one, const Style& style)
        : report_(report), case_(one), style_(style), width_(static_cast<std::size_t>(style.width)) {
        for (const Contestant& each : one.contestants) names_ = std::max(names_, display_width(each.timing.name));
        names_ = std::min<std::size_t>(names_, 24);
    }

    std::string text() {
        text_ = "\n" + wrapped(style_.bold(case_.id) + "  " + case_.why, width_, "", "  ");
        limit();
        const bool any = std::any_of(case_.contestants.begin(), case_.contestants.end(),
                                     [](const Contestant& each) { return each.timing.has_figure(); });
        if (any) table();
        if (any && case_.floor.seconds() > 0) bars();
        refusals();
        remarks();
        memory();
        control();
        return std::move(text_);
    }

  private:
    const BenchReport& report_;
    const BenchReport::Case& case_;
    const Style& style_;
    std::size_t width_, names_ = 8;
    std::string text_;

    void say(const std::string& sentence, const std::string& lead = "  ") {
        text_ += wrapped(sentence, width_, lead, "    ");
    }
    std::string name(const Contestant& one) const { return pad_right(cut(one.timing.name, names_), names_); }

    void limit() {
        const Cost& cost = case_.cost;
        std::string work = fmt::format("Work: {}, {} exponentials, {} in and out.", si_text(cost.flops, "FLOP"),
                                       si_text(cost.exponentials, ""), bytes_text(cost.bytes));
        if (case_.floor.seconds() > 0)
            work += fmt::format(" No program does it here in less than {}: {} is what binds.",
                                short_time(case_.floor.seconds()), case_.floor.by_memory() ? "memory" : "arithmetic");
        say(work);
        if (!case_.limits.empty()) say(style_.dim("The device's limits: " + printable(case_.limits) + "."));
    }

    void table() {
        text_ += "\n" +
                 style_.dim(fmt::format("  {}{:>11}{:>20}{:>10}{:>8}{:>8}   {}", pad_right("", names_), "median",
                                        "95 % interval", "GFLOP/s", "GB/s", "limit", "speed")) +
                 "\n";
        for (const Contestant& one : case_.contestants) {
            const timing::Timing& t = one.timing;
            if (!t.has_figure()) continue;
            std::string row = fmt::format("  {}{:>11}{:>20}{:>10.3g}{:>8.2g}", name(one), short_time(t.median),
                                          interval_text(t.interval), case_.cost.flops / t.median / 1e9,
                                          case_.cost.bytes / t.median / 1e9);
            row += case_.floor.seconds() > 0 ? fmt::format("{:>6.3g} %", 100 * case_.floor.seconds() / t.median)
                                             : std::string(8, ' ');
            text_ += row + "   " + speed(t) + "\n";
        }
    }

    std::string speed(const timing::Timing& t) const {
        if (t.name == report_.reference) return style_.bold("1") + style_.dim(" (what speeds are taken to)");
        if (!(t.ratio > 0)) return "-";
        const std::string figure = style_.bold(fmt::format("{:.3g}x", t.ratio));
        if (t.ratios.coverage == 0) return figure + style_.dim(" (too few rounds for an interval)");
        return figure + style_.dim(fmt::format(" ({:.3g} to {:.3g})", t.ratios.low, t.ratios.high));
    }

    void bars() {
        const std::size_t columns = std::min<std::size_t>(width_ - names_ - 12, 60);
        text_ += "\n";
        for (const Contestant& one : case_.contestants) {
            if (!one.timing.has_figure()) continue;
            const double share = case_.floor.seconds() / one.timing.median;
            text_ += fmt::format("  {}  {} {:.3g} %\n", name(one), style_.paint(Paint::green, bar(share, columns)),
                                 100 * share);
        }
        text_ += style_.dim(fmt::format("  {}  {} the machine's limit\n", pad_right("", names_), bar(1, columns)));
    }

    void refusals() {
        bool first = true;
        for (const Contestant& one : case_.contestants) {
            const timing::Timing& t = one.timing;
            if (t.has_figure()) continue;
            if (std::exchange(first, false)) text_ += "\n";
            const std::string what = t.disqualified ? "disqualified" : "not measurable";
            std::string sentence = style_.paint(t.disqualified ? Paint::red : Paint::yellow, t.name + ": " + what) +
                                   ", " + printable(t.refused) + ".";
            if (!t.disqualified && !t.samples.empty())
                sentence += style_.dim(fmt::format(" It took some {}.", short_time(t.median)));
            say(sentence);
        }
    }

    void remarks() {
        for (const Contestant& one : case_.contestants)
            if (one.timing.has_figure() && !one.timing.remark.empty())
                say(style_.paint(Paint::yellow, one.timing.name + ":") + " " + printable(one.timing.remark) + ".");
        std::string beside;
        for (const Contestant& one : case_.contestants)
            if (report_.device && !one.on_device) beside += (beside.empty() ? "" : ", ") + one.timing.name;
        if (!beside.empty())
            say(style_.dim("On the CPU, by the judge's clock: " + beside + ". All others on the GPU."));
    }

    void memory() {
        bool first = true;
        for (const Contestant& one : case_.contestants) {
            if (!one.peak) continue;
            if (std::exchange(first, false)) {
                text_ += "\n";
                say(fmt::format("Memory of its own at most; the streaming form has to hold {}:",
                                bytes_text(case_.cost.state_bytes)));
            }
            const auto peak = static_cast<double>(*one.peak);
            std::string row = fmt::format("    {}{:>11}", name(one), bytes_text(peak));
            if (case_.cost.state_bytes > 0 && peak > case_.cost.state_bytes)
                row += style_.dim(fmt::format("   {:.3g} times that", peak / case_.cost.state_bytes));
            text_ += row + "\n";
        }
    }

    void control() {
        if (case_.contestants.empty()) return;
        text_ += "\n";
        std::string sentence = fmt::format("{} in {:.1f} s, each on fresh numbers, every answer checked.",
                                           counted(case_.rounds, "round"), case_.seconds);
        if (report_.device)
            sentence += " A call is timed until the whole device is done, its L2 cache flushed before; copies to and "
                        "from the device are not in it.";
        if (case_.control > 0)
            sentence +=
                fmt::format(" Two processes of the same program differ by {:.1f} % (up to {:.0f} % is allowed).",
                            100 * std::fabs(case_.control - 1), 100 * case_.allowed);
        say(style_.dim(sentence));
    }
};

} // namespace

std::string bench_terminal(const BenchReport& report, const Style& style) {
    const auto width = static_cast<std::size_t>(style.width);
    std::string machine = report.processor.empty() ? "this machine" : printable(report.processor);
    machine += ", " + counted(report.limits.threads, "thread");
    if (report.device)
        machine = fmt::format("{} ({}); built with {} {}", printable(report.device->name), report.device->architecture,
                              report.environment.compiler, report.environment.flags);
    std::string text =
        wrapped(style.bold(report.exercise) + "  " + report.title + style.dim("  on " + machine), width, "", "  ");
    if (report.limits.flops > 0)
        text += wrapped(
            style.dim(fmt::format("limits: {} (float32, {}), {}, {}; built with {} {}",
                                  si_text(report.limits.flops, "FLOP/s"), report.limits.kernels,
                                  si_text(report.limits.exponentials, "exp/s"), si_text(report.limits.bandwidth, "B/s"),
                                  report.environment.compiler, report.environment.flags)),
            width, "", "  ");
    for (const std::string& note : report.notes)
        text += wrapped(note, width, style.paint(Paint::yellow, "note: "), "      ");
    for (const BenchReport::LeftOut& one : report.left_out) {
        text += "\n" + wrapped(style.paint(Paint::red, one.name + " is left out") + ": " + printable(one.reason) + ".",
                               width, "", "  ");
        if (!one.diagnostics.empty()) text += first_lines(printable(one.diagnostics, Keep::newlines), 20) + "\n";
    }
    for (const BenchReport::Case& one : report.cases) text += CaseText(report, one, style).text();
    if (!report.further.empty())
        text +=
            "\n" + wrapped(style.dim("Other cases, by --case: " + fmt::format("{}", fmt::join(report.further, ", "))),
                           width, "", "  ");
    return text;
}

} // namespace assay
