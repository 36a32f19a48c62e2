// Applies the steps of a spec to a problem.
#include "judge/spec.hpp"

#include "judge/elements.hpp"
#include "judge/layout.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace assay {

namespace {

Failure misfit(std::string reason) { return Failure{Verdict::SKIP, std::move(reason)}; }

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
                                      keep.dimension, extent, index, text_of(keep)));
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
                                  set.field, size, text_of(set), set.values.size()));
    const std::vector<double> values = set.values.size() == 1 ? std::vector<double>(size, set.values[0]) : set.values;
    if (!is_floating(array.dtype))
        for (const double value : values)
            if (!std::isfinite(value))
                return misfit(
                    fmt::format("field {} holds {}, which has no {}", set.field, name_of(array.dtype), value));
    overwrite(array, values);
    if (has_distinct_elements(array)) return Done{};
    const std::vector<double> kept = elements_of(array),
                              wanted = elements_of(Array::of(array.dtype, array.extents, values));
    for (std::size_t i = 0; i < size; ++i)
        if (differ(kept[i], wanted[i], 0))
            return misfit(
                fmt::format("field {} repeats its elements in storage, so they cannot differ as step '@{}' asks",
                            set.field, text_of(set)));
    return Done{};
}

Outcome<Done> set_value(Value& value, const CaseSpec::Set& set) {
    if (auto* array = std::get_if<Array>(&value)) return set_array(*array, set);
    if (std::holds_alternative<std::monostate>(value))
        return misfit(fmt::format("field {} is absent in this case, so it cannot be set", set.field));
    if (set.values.size() != 1)
        return misfit(
            fmt::format("field {} is one value, but step '@{}' gives {}", set.field, text_of(set), set.values.size()));
    const double wanted = set.values[0];
    if (std::holds_alternative<double>(value)) {
        value = wanted;
        return Done{};
    }
    if (wanted != std::nearbyint(wanted) || std::fabs(wanted) > 0x1p53)
        return misfit(fmt::format("field {} takes whole numbers only, not {}", set.field, wanted));
    if (std::holds_alternative<bool>(value)) {
        if (wanted != 0 && wanted != 1)
            return misfit(fmt::format("field {} is a flag: 0 or 1, not {}", set.field, wanted));
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
    } else if (array != nullptr && is_floating(array->dtype)) {
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
