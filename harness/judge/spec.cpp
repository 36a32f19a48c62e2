// Parses, prints and applies the one-line names of shrunk cases.
#include "judge/spec.hpp"

#include "judge/elements.hpp"
#include "judge/layout.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

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

template <class Visit> std::string step_text(const Visit& step) {
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

/// The longest axis of this name; -1 where there is none.
std::int64_t dimension_of(const Problem& problem, const std::string& name) {
    std::int64_t extent = -1;
    for (const Field& field : problem.fields)
        if (const auto* array = std::get_if<Array>(&field.value))
            for (std::size_t axis = 0; axis < field.axes.size() && axis < array->rank(); ++axis)
                if (field.axes[axis] == name) extent = std::max(extent, array->extents[axis]);
    return extent;
}

Outcome<Problem> apply_step(Problem problem, const CaseSpec::Keep& keep) {
    const std::int64_t extent = keep.dimension.empty() ? -1 : dimension_of(problem, keep.dimension);
    if (extent < 0) return misfit(fmt::format("this case has no dimension '{}'", keep.dimension));
    for (const std::int64_t index : keep.indices)
        if (index < 0 || index >= extent)
            return misfit(fmt::format("dimension {} has {} indices, so index {} of step '@{}' is not one of them",
                                      keep.dimension, extent, index, step_text(CaseSpec::Step{keep})));
    for (Field& field : problem.fields) {
        auto* array = std::get_if<Array>(&field.value);
        if (array == nullptr) continue;
        for (std::size_t axis = 0; axis < field.axes.size() && axis < array->rank(); ++axis)
            if (field.axes[axis] == keep.dimension && array->extents[axis] == extent)
                *array = keep_along(*array, axis, keep.indices);
    }
    return problem;
}

Outcome<Done> set_array(Array& array, const CaseSpec::Set& set) {
    const auto size = static_cast<std::size_t>(array.size());
    if (set.values.size() != 1 && set.values.size() != size)
        return misfit(fmt::format("field {} has {} elements, but step '@{}' gives {}; give one value or one an element",
                                  set.field, size, step_text(CaseSpec::Step{set}), set.values.size()));
    const std::vector<double> values = set.values.size() == 1 ? std::vector<double>(size, set.values[0]) : set.values;
    if (!is_floating(array.dtype))
        for (const double value : values)
            if (!std::isfinite(value))
                return misfit(fmt::format("field {} holds {}, which has no {}", set.field, name_of(array.dtype),
                                          number_text(value)));
    overwrite(array, values);
    if (has_distinct_elements(array)) return Done{};
    const std::vector<double> kept = elements_of(array),
                              wanted = elements_of(Array::of(array.dtype, array.extents, values));
    for (std::size_t i = 0; i < size; ++i)
        if (differ(kept[i], wanted[i], 0))
            return misfit(
                fmt::format("field {} repeats its elements in storage, so they cannot differ as step '@{}' asks",
                            set.field, step_text(CaseSpec::Step{set})));
    return Done{};
}

Outcome<Done> set_value(Value& value, const CaseSpec::Set& set) {
    if (auto* array = std::get_if<Array>(&value)) return set_array(*array, set);
    if (std::holds_alternative<std::monostate>(value))
        return misfit(fmt::format("field {} is absent in this case, so it cannot be set", set.field));
    if (set.values.size() != 1)
        return misfit(fmt::format("field {} is one value, but step '@{}' gives {}", set.field,
                                  step_text(CaseSpec::Step{set}), set.values.size()));
    const double wanted = set.values[0];
    if (std::holds_alternative<double>(value)) {
        value = wanted;
        return Done{};
    }
    if (wanted != std::nearbyint(wanted) || std::fabs(wanted) > 0x1p53)
        return misfit(fmt::format("field {} takes whole numbers only, not {}", set.field, number_text(wanted)));
    if (std::holds_alternative<bool>(value)) {
        if (wanted != 0 && wanted != 1)
            return misfit(fmt::format("field {} is a flag: 0 or 1, not {}", set.field, number_text(wanted)));
        value = wanted != 0;
    } else {
        value = static_cast<std::int64_t>(wanted);
    }
    return Done{};
}

Outcome<Problem> apply_step(Problem problem, const CaseSpec::Set& set) {
    Field* field = problem.find(set.field);
    if (field == nullptr) return misfit(fmt::format("this case has no field '{}'", set.field));
    const Outcome<Done> done = set_value(field->value, set);
    if (!done) return done.failure();
    return problem;
}

double to_int(double value) { return std::nearbyint(value) + 0.0; } // + 0.0: no -0

Outcome<Problem> apply_step(Problem problem, const CaseSpec::Change& change) {
    Field* field = problem.find(change.field);
    if (field == nullptr) return misfit(fmt::format("this case has no field '{}'", change.field));
    Value& value = field->value;
    auto* array = std::get_if<Array>(&value);
    if (change.to == "none") {
        value = std::monostate{};
    } else if (change.to == "packed") {
        if (array == nullptr) return misfit(fmt::format("field {} is no tensor, so it cannot be packed", change.field));
        *array = array->contiguous();
    } else if (array != nullptr) {
        std::vector<double> values = elements_of(*array);
        std::transform(values.begin(), values.end(), values.begin(), to_int);
        overwrite(*array, values);
    } else if (auto* number = std::get_if<double>(&value)) {
        *number = to_int(*number);
    } else {
        return misfit(fmt::format("field {} holds no numbers to round", change.field));
    }
    return problem;
}

} // namespace

std::string CaseSpec::text() const {
    std::string text = case_id;
    for (const Step& step : steps) text += '@' + step_text(step);
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

Outcome<Problem> apply(const Problem& problem, const CaseSpec::Step& step) {
    return std::visit([&](const auto& one) { return apply_step(problem, one); }, step);
}

Outcome<Problem> apply(const Problem& problem, const CaseSpec& spec) {
    Problem current = problem;
    for (const CaseSpec::Step& step : spec.steps) {
        Outcome<Problem> next = assay::apply(current, step);
        if (!next) return next;
        current = std::move(*next);
    }
    return current;
}

} // namespace assay
