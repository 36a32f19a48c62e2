#include "report/speed.hpp"

#include "report/text.hpp"

#include <fmt/format.h>

namespace assay {

std::string speed_text(const SpeedRecord& speed, const Style& style) {
    const auto width = static_cast<std::size_t>(style.width);
    std::string aims;
    for (std::size_t i = 0; i < speed.thresholds.size(); ++i) {
        const std::string aim = fmt::format("{:g}", speed.thresholds[i]);
        aims += (i == 0 ? "" : ", ") +
                (static_cast<int>(i) < speed.reached ? style.paint(Paint::green, aim + " reached") : style.dim(aim));
    }
    std::string text =
        fmt::format("Speed  {}  {}\n", speed.title,
                    style.dim(fmt::format("{} of {}, apart from the points", speed.earned, speed.points)));
    if (!speed.reason.empty()) return text + wrapped(style.dim(printable(speed.reason)), width, "  ", "  ") + "\n";
    for (const SpeedRecord::Case& one : speed.cases) {
        if (!one.refused.empty()) {
            text +=
                wrapped(one.id + ": " + style.paint(Paint::yellow, "not measurable") + ", " + printable(one.refused),
                        width, "  ", "    ");
            continue;
        }
        std::string figure = fmt::format("{}: {} times as fast as the solution ({:.3g} to {:.3g})", one.id,
                                         style.bold(fmt::format("{:.3g}", one.ratio)), one.low, one.high);
        if (one.share > 0) figure += fmt::format(", {:.3g} % of this machine's limit", 100 * one.share);
        text += wrapped(figure, width, "  ", "    ");
    }
    return text + "  aims: " + aims + "\n\n";
}

} // namespace assay
