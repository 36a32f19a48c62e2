// Prints and parses the one-line names of shrunk cases; spec_apply.cpp applies them.
#include "judge/spec.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace assay {

namespace {

Failure misfit(std::string reason) { return Failure{Verdict::SKIP, std::move(reason)}; }

std::string number_text(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    std::array<char, 32> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end};
}

/// Runs of three or more consecutive indices as "4-9".
std::string indices_text(const std::vector<std::int64_t>& indices) {
    std::string text;
    for (std::size_t i = 0; i < indices.size();) {
        std::size_t last = i;
        while (last + 1 < indices.size() && indices[last + 1] == indices[last] + 1) ++last;
        if (last < i + 2) last = i;
        if (!text.empty()) text += ',';
        text += std::to_string(indices[i]);
        if (last > i) text += '-' + std::to_string(indices[last]);
        i = last + 1;
    }
    return text;
}

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(at);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

template <class Number> bool read(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

Outcome<CaseSpec::Step> parse_keep(std::string_view step, std::string_view name, std::string_view list) {
    constexpr std::int64_t most = 1 << 20; // a longer list is a slip of the fingers, not a case
    CaseSpec::Keep keep{std::string(name), {}};
    if (list.empty()) return CaseSpec::Step{keep};
    for (const std::string_view part : split(list, ',')) {
        const std::size_t dash = part.find('-');
        std::int64_t first = 0, last = 0;
        const bool good = dash == std::string_view::npos
                              ? read(part, first) && (last = first, true)
                              : read(part.substr(0, dash), first) && read(part.substr(dash + 1), last);
        if (!good || first < 0 || last < first || last - first >= most)
            return misfit(fmt::format("'{}' in step '@{}' is no index or run of indices; write 3 or 0-7", part, step));
        for (std::int64_t index = first; index <= last; ++index) keep.indices.push_back(index);
    }
    return CaseSpec::Step{keep};
}

Outcome<CaseSpec::Step> parse_set(std::string_view step, std::string_view name, std::string_view list) {
    CaseSpec::Set set{std::string(name), {}};
    for (const std::string_view part : split(list, ',')) {
        double value = 0;
        if (!read(part, value)) return misfit(fmt::format("'{}' in step '@{}' is not a number", part, step));
        set.values.push_back(value);
    }
    return CaseSpec::Step{set};
}

bool is_name(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
}

Outcome<CaseSpec::Step> parse_step(std::string_view step) {
    const std::size_t at = step.find_first_of(":=~");
    if (at == std::string_view::npos || !is_name(step.substr(0, at)))
        return misfit(fmt::format("step '@{}' is none of @NAME:indices, @FIELD=values and @FIELD~change", step));
    const std::string_view name = step.substr(0, at), rest = step.substr(at + 1);
    if (step[at] == ':') return parse_keep(step, name, rest);
    if (step[at] == '=') return parse_set(step, name, rest);
    if (rest != "int" && rest != "none" && rest != "packed")
        return misfit(fmt::format("'{}' in step '@{}' is none of int, none and packed", rest, step));
    return CaseSpec::Step{CaseSpec::Change{std::string(name), std::string(rest)}};
}

} // namespace

std::string text_of(const CaseSpec::Step& step) {
    if (const auto* keep = std::get_if<CaseSpec::Keep>(&step))
        return keep->dimension + ':' + indices_text(keep->indices);
    if (const auto* set = std::get_if<CaseSpec::Set>(&step)) {
        std::string text = set->field + '=';
        for (std::size_t i = 0; i < set->values.size(); ++i) text += (i == 0 ? "" : ",") + number_text(set->values[i]);
        return text;
    }
    const auto& change = std::get<CaseSpec::Change>(step);
    return change.field + '~' + change.to;
}

std::string CaseSpec::text() const {
    std::string text = case_id;
    for (const Step& step : steps) text += '@' + text_of(step);
    return text;
}

Outcome<CaseSpec> parse_spec(std::string_view text) {
    const std::vector<std::string_view> parts = split(text, '@');
    if (!is_name(parts.front()))
        return misfit(
            fmt::format("'{}' is no case id; a case reads like causal-short or causal-short@Lq:0@q=1", parts.front()));
    CaseSpec spec{std::string(parts.front()), {}};
    for (std::size_t i = 1; i < parts.size(); ++i) {
        Outcome<CaseSpec::Step> step = parse_step(parts[i]);
        if (!step) return step.failure();
        spec.steps.push_back(std::move(*step));
    }
    return spec;
}

} // namespace assay
