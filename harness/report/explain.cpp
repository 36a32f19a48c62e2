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

/// What the contract wants left as it was: a record that was read back has NaN there.
bool is_unset(const Finding& finding) {
    return is_item(finding) && (std::isnan(finding.expected) || finding.expected == static_cast<double>(unset_integer));
}

/// Of a choice, what `value` stands for in the legend "(0 none, 1 too early, -1 no end)"; "" where it is not listed.
std::string meaning_of(const std::string& legend, double value) {
    const std::string key = fmt::format("{:.0f} ", value);
    const auto is_entry = [&](std::size_t at) { // "1 ...", "-1 ..."
        const std::size_t digits = at + (at < legend.size() && legend[at] == '-' ? 1 : 0);
        return digits < legend.size() && legend[digits] >= '0' && legend[digits] <= '9';
    };
    if (legend.size() < 2 || !is_entry(1)) return "";
    for (std::size_t at = 1; at < legend.size();) {
        std::size_t end = legend.find(", ", at);
        while (end != std::string::npos && !is_entry(end + 2)) end = legend.find(", ", end + 2);
        const std::size_t stop = end == std::string::npos ? legend.size() - 1 : end;
        if (legend.compare(at, key.size(), key) == 0) return legend.substr(at + key.size(), stop - at - key.size());
        if (end == std::string::npos) break;
        at = end + 2;
    }
    return "";
}

/// A choice by what its numbers mean; "" where the legend does not say.
std::string choice_sentence(const Finding& finding) {
    const std::string got = meaning_of(finding.unit, finding.got), right = meaning_of(finding.unit, finding.expected);
    const std::string begin = fmt::format("{} is {:.0f} ({})", element_text(finding), finding.got, got);
    if (!got.empty() && !right.empty()) return fmt::format("{}, expected {:.0f} ({})", begin, finding.expected, right);
    if (!got.empty() && finding.expected == -1) return begin + ", expected it unset";
    return "";
}

} // namespace

std::string sentence_of(const Finding& finding) {
    const std::string element = element_text(finding);
    const std::string got = number_text(finding.got);
    const std::string expected = number_text(finding.expected);
    const bool legend = !finding.unit.empty() && finding.unit.front() == '(';
    const std::string unit = finding.unit.empty() ? "" : " " + finding.unit;
    const auto with_units = [&](const std::string& a, const std::string& b) {
        if (is_unset(finding)) return fmt::format("{} is {}{}, expected it unset", element, a, legend ? "" : unit);
        return fmt::format("{} is {}{}, expected {}{}", element, a, legend ? "" : unit, b, unit);
    };
    switch (finding.kind) {
    case FindingKind::value:
        if (legend)
            if (std::string choice = choice_sentence(finding); !choice.empty()) return choice;
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
        if (finding.wrong < finding.total)
            extent = fmt::format("{} of {} elements {} wrong", finding.wrong, finding.total,
                                 finding.wrong == 1 ? "is" : "are");
        else if (finding.total > 1)
            extent = fmt::format("all {} elements are wrong", finding.total);
    }
    const bool one = finding.wrong == 1 && finding.total > 0; // the sentence itself says where it is
    if (!finding.place.empty() && !one && (finding.total == 0 || finding.wrong < finding.total))
        extent += (extent.empty() ? "" : ": ") + finding.place;
    std::string text = wrapped(style.bold(sentence_of(finding)) + (extent.empty() ? "." : " (" + extent + ")."), width,
                               indent, indent);
    text += figures_of(finding, style, indent);
    if (!finding.note.empty()) text += wrapped(printable(finding.note), width, indent, indent);
    for (const std::string& line : finding.map) text += fmt::format("{}  {}\n", indent, line);
    return text;
}

} // namespace assay
