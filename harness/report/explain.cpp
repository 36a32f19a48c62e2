#include "report/explain.hpp"

#include "report/text.hpp"

#include <assay/unset.hpp>
#include <cmath>
#include <fmt/format.h>

namespace assay {

std::string number_text(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "+Infinity" : "-Infinity";
    return fmt::format("{:.6g}", value == 0 ? 0.0 : value); // no "-0": it is not what is wrong
}

std::string element_text(const Finding& finding) {
    if (finding.where.empty()) return finding.tensor;
    std::string text = finding.tensor + "[";
    for (std::size_t i = 0; i < finding.where.size(); ++i)
        text += (i == 0 ? "" : ",") + std::to_string(finding.where[i]);
    return text + "]";
}

namespace {

/// What the contract wants left as it was, and only invalid input does.
bool is_unset(const Finding& finding) {
    return is_item(finding) && (std::isnan(finding.expected) || finding.expected == static_cast<double>(unset_integer));
}

} // namespace

std::string sentence_of(const Finding& finding) {
    const std::string element = element_text(finding);
    const std::string got = number_text(finding.got);
    const std::string expected = number_text(finding.expected);
    const bool legend = !finding.unit.empty() && finding.unit.front() == '(';
    const std::string unit = finding.unit.empty() ? "" : " " + finding.unit;
    const auto with_units = [&](const std::string& a, const std::string& b) {
        if (is_unset(finding))
            return fmt::format("{} is {}{}, expected it unset: the input is invalid", element, a, legend ? "" : unit);
        return fmt::format("{} is {}{}, expected {}{}", element, a, legend ? "" : unit, b, unit);
    };
    switch (finding.kind) {
    case FindingKind::value:
        // Six digits may be the same for two different numbers: then show all of them.
        if (got == expected)
            return with_units(fmt::format("{:.17g}", finding.got), fmt::format("{:.17g}", finding.expected));
        return with_units(got, expected);
    case FindingKind::nan:
    case FindingKind::inf: return with_units(got, expected);
    case FindingKind::shape: return fmt::format("{} has the wrong shape", finding.tensor);
    case FindingKind::mutated_input:
        return fmt::format("the input {} was changed: {} is {}, was {}", finding.tensor, element, got, expected);
    case FindingKind::not_deterministic:
        return fmt::format("the same call gave two answers: {} is {}, then {}", element, expected, got);
    case FindingKind::unwritten_output:
        return fmt::format("{} was never {}", element, finding.where.empty() ? "set" : "written");
    case FindingKind::out_of_bounds: return fmt::format("memory beside {} was written", finding.tensor);
    }
    return element;
}

std::string figures_of(const Finding& finding, const Style& style, std::string_view indent) {
    if (finding.kind != FindingKind::value && finding.kind != FindingKind::not_deterministic) return "";
    // Of a single number the sentence says how wrong it is, unless it is nearly right.
    if (is_item(finding) && !(finding.error <= 1e-3 * std::fabs(finding.expected))) return "";
    const auto figure = [](double value) {
        return std::isfinite(value) ? fmt::format("{:.3g}", value) : number_text(value);
    };
    std::string text = style.paint(Paint::red, "error " + figure(finding.error));
    text += " · bound " + figure(finding.bound);
    if (finding.plain_error >= 0 || std::isnan(finding.plain_error))
        text += " · a plain implementation's error " + figure(finding.plain_error);
    return wrapped(text, static_cast<std::size_t>(style.width), indent, indent);
}

std::string explained(const Finding& finding, const Style& style, std::string_view indent) {
    const auto width = static_cast<std::size_t>(style.width);
    std::string extent;
    if (is_item(finding))
        ; // a single number: there is nothing to count
    else if (finding.total > 0 && finding.wrong > 0) {
        extent = finding.wrong == finding.total && finding.total > 1
                     ? fmt::format("all {} elements are wrong", finding.total)
                     : fmt::format("{} of {} are wrong", finding.wrong, counted(finding.total, "element"));
    }
    if (!finding.place.empty() && (finding.total == 0 || finding.wrong < finding.total))
        extent += (extent.empty() ? "" : ": ") + finding.place;
    std::string text = wrapped(style.bold(sentence_of(finding)) + (extent.empty() ? "." : " (" + extent + ")."), width,
                               indent, indent);
    text += figures_of(finding, style, indent);
    if (!finding.note.empty()) text += wrapped(printable(finding.note), width, indent, indent);
    for (const std::string& line : finding.map) text += fmt::format("{}  {}\n", indent, line);
    return text;
}

} // namespace assay
