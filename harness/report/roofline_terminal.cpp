#include "report/roofline.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace assay {

namespace {

using roofline::Crossover;
using roofline::Resource;

std::string ffn_text(const roofline::Ffn& ffn, const std::string& model) {
    return fmt::format(
        "FFN{}: d_model {}, hidden {}, {}{}, {:g} byte{} an element", model.empty() ? "" : " of " + model, ffn.d_model,
        ffn.hidden, ffn.gated ? "three matrices (gated)" : "two matrices",
        ffn.gpus == 1 ? "" : fmt::format(", {} GPUs", ffn.gpus), ffn.element_bytes, ffn.element_bytes == 1 ? "" : "s");
}

std::string head(const RooflineView& view, const Style& style) {
    const auto width = static_cast<std::size_t>(style.width);
    std::string text = style.bold(view.title) + fmt::format(" ({}), {}\n", view.chip, view.dtype);
    std::string limits = fmt::format("peak {} dense", si_text(view.ceilings.peak, "FLOP/s"));
    if (view.vendor_sparse)
        limits += fmt::format(" (the vendor prints {}, with sparsity)", si_text(view.vendor_peak, "FLOP/s"));
    limits += fmt::format("; memory {}; ridge {:.1f} FLOP/B", si_text(view.ceilings.bandwidth, "B/s"),
                          roofline::ridge(view.ceilings));
    if (!view.link.empty()) {
        limits += fmt::format("; {} {} a direction", view.link, si_text(view.ceilings.link, "B/s"));
        if (view.vendor_two_way)
            limits += fmt::format(" (the vendor prints {}, both added up)", si_text(view.vendor_link, "B/s"));
    }
    text += wrapped(limits, width, "  ", "  ");
    text += wrapped(ffn_text(view.ffn, view.model), width, "", "  ") + "\n";
    return text;
}

std::string row(const roofline::Ffn& ffn, const roofline::Ceilings& ceilings, std::int64_t tokens, const Style& style) {
    const roofline::Times t = times(ffn, ceilings, static_cast<double>(tokens));
    const auto cell = [&](Resource resource) {
        const std::string text = resource == Resource::network && ffn.gpus == 1 ? "-" : time_text(t.of(resource));
        const std::string padded = pad_left(text, 14);
        return t.binding() == resource ? style.bold(padded) : padded;
    };
    return fmt::format("  {:>13}{}{}{}   {}\n", tokens, cell(Resource::compute), cell(Resource::memory),
                       cell(Resource::network), roofline::name_of(t.binding()));
}

std::string ranges(const RooflineView& view) {
    std::string text;
    for (const roofline::Range& range : binding_ranges(view.ffn, view.ceilings))
        text += range.to == 0 ? fmt::format("  {:<8} binds from {} token{} on\n", roofline::name_of(range.resource),
                                            range.from, range.from == 1 ? "" : "s")
                              : fmt::format("  {:<8} binds from {} to {} tokens\n", roofline::name_of(range.resource),
                                            range.from, range.to);
    return text;
}

std::string crossovers(const RooflineView& view) {
    std::string text;
    const auto add = [&](Resource resource) {
        const auto at = overtakes_memory(view.ffn, view.ceilings, resource);
        text += text.empty() ? "" : "; ";
        text += fmt::format("{} overtakes memory {}", roofline::name_of(resource),
                            at ? fmt::format("at {:.1f} tokens, so from {} on", at->tokens, at->first)
                               : "at no number of tokens");
    };
    add(Resource::compute);
    if (view.ffn.gpus == 1) return text + ".";
    add(Resource::network);
    const roofline::Times one = times(view.ffn, view.ceilings, 1);
    return text + fmt::format("; compute is {:.3g} times network at any.", one.compute / one.network);
}

} // namespace

std::string time_text(double seconds) {
    if (!std::isfinite(seconds)) return "-";
    const double size = std::abs(seconds);
    if (size < 999.9995e-9) return fmt::format("{:.3f} ns", seconds * 1e9);
    if (size < 999.9995e-6) return fmt::format("{:.3f} µs", seconds * 1e6);
    if (size < 999.9995e-3) return fmt::format("{:.3f} ms", seconds * 1e3);
    return fmt::format("{:.3f} s", seconds);
}

std::string si_text(double value, const std::string& unit) {
    constexpr const char* prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    std::size_t power = 0;
    while (value >= 999.95 && power + 1 < std::size(prefixes)) {
        value /= 1000;
        ++power;
    }
    return fmt::format("{:.4g} {}{}", value, prefixes[power], unit);
}

std::string roofline_terminal(const RooflineView& view, const Style& style) {
    const auto width = static_cast<std::size_t>(style.width);
    std::string text = head(view, style);
    text += style.dim("         tokens       compute        memory       network   binds") + "\n";
    for (const std::int64_t tokens : view.tokens) text += row(view.ffn, view.ceilings, tokens, style);
    if (view.tokens.size() > 1) {
        text += "\n";
        for (const std::string& line : roofline_plot(view.ffn, view.ceilings, static_cast<double>(view.tokens.front()),
                                                     static_cast<double>(view.tokens.back()), style))
            text += line + "\n";
    }
    text += "\n" + ranges(view) + wrapped(crossovers(view), width, "  ", "  ");
    text += wrapped(
        "The longest binds where all three overlap fully; an all-reduce that nothing hides adds its time. Gated "
        "products are taken as fused, activations as not divided over the GPUs.",
        width, "  ", "  ");
    text += style.dim(wrapped("Source: " + view.source, width, "  ", "  "));
    return text;
}

} // namespace assay
