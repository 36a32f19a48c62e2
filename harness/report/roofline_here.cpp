// Predicted beside measured, on a terminal.
#include "report/roofline.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay {

namespace {

using roofline::HereFigures;
using roofline::HerePoint;

std::string bytes_text(std::int64_t bytes) {
    const double mib = static_cast<double>(bytes) / (1 << 20);
    return mib < 1024 ? fmt::format("{:.0f} MiB", mib) : fmt::format("{:.1f} GiB", mib / 1024);
}

std::string row(const HerePoint& point, const Style& style) {
    std::string text = fmt::format("  {:>8}{}", point.tokens, pad_left(time_text(point.times.compute), 12));
    const std::string memory = pad_left(time_text(point.times.memory), 12);
    text += point.memory_applies ? memory : style.dim(memory);
    if (point.left_out)
        return text + style.dim(fmt::format("   not measured: {} a call or more", time_text(point.estimate))) + "\n";
    text += style.bold(pad_left(time_text(point.measured.median), 12));
    text += pad_left(fmt::format("{} to {}", time_text(point.measured.low), time_text(point.measured.high)), 27);
    text += fmt::format("{:>6.0f} %", 100 * point.predicted() / point.measured.median);
    return text + (point.holds() ? "" : "  faster than the bound") + "\n";
}

std::string figures_text(const HereFigures& one, const roofline::HereReport& report, const Style& style) {
    const auto width = static_cast<std::size_t>(style.width);
    std::string text = "\n" + style.bold(counted(one.threads, "thread")) + "\n";
    text += wrapped(
        fmt::format("peak {} (best matrix product); memory: read {}, copy {}, triad {}, over {}; ridge {:.1f} "
                    "FLOP/B",
                    si_text(one.peak, "FLOP/s"), si_text(one.bandwidth.read, "B/s"), si_text(one.bandwidth.copy, "B/s"),
                    si_text(one.bandwidth.triad, "B/s"), bytes_text(one.array_bytes), one.peak / one.bandwidth.best()),
        width, "  ", "  ");
    text += style.dim("    tokens     compute      memory    measured                  quartiles   bound") + "\n";
    for (const HerePoint& point : one.points) text += row(point, style);
    std::string note;
    const bool all =
        std::all_of(one.points.begin(), one.points.end(), [](const HerePoint& p) { return p.memory_applies; });
    if (report.machine.cache_bytes == 0)
        note = "The caches' size is not known here, so that memory is not taken as a bound.";
    else if (one.array_bytes < 2 * report.machine.cache_bytes)
        note =
            fmt::format("The arrays ({}) are not twice the caches ({}), so that memory is not taken as a bound: give "
                        "more --seconds.",
                        bytes_text(one.array_bytes), bytes_text(report.machine.cache_bytes));
    else if (!all)
        note =
            fmt::format("Where the network with its activations is smaller than {} it may lie in the caches ({} of the "
                        "last level, as the system reports them) and memory is no bound: compute alone is.",
                        bytes_text(one.array_bytes), bytes_text(report.machine.cache_bytes));
    if (!note.empty()) text += wrapped(note, width, "  ", "  ");
    if (std::any_of(one.points.begin(), one.points.end(), [](const HerePoint& p) { return p.left_out; }))
        text +=
            wrapped("Not enough calls of the larger ones fit into the time: give more --seconds.", width, "  ", "  ");
    return text;
}

} // namespace

std::string here_terminal(const roofline::HereReport& report, const std::string& model, const Style& style) {
    const auto width = static_cast<std::size_t>(style.width);
    std::string text =
        style.bold(report.machine.processor.empty() ? "This machine" : printable(report.machine.processor));
    text += fmt::format(", {}, Eigen with {}, fp32\n", counted(report.machine.processors, "processor"), report.kernels);
    text += wrapped(fmt::format("FFN{}: d_model {}, hidden {}, {}: {} of weights", model.empty() ? "" : " of " + model,
                                report.ffn.d_model, report.ffn.hidden,
                                report.ffn.gated ? "three matrices (gated)" : "two matrices",
                                bytes_text(static_cast<std::int64_t>(work(report.ffn, 0).weight_bytes))),
                    width, "", "  ");
    for (const HereFigures& one : report.figures) text += figures_text(one, report, style);
    return text;
}

} // namespace assay
