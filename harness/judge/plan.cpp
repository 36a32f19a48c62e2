#include "judge/plan.hpp"

#include "judge/elements.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

namespace assay {

Plan Plan::of(const Problem& problem) {
    Plan plan;
    for (const Field& field : problem.fields) {
        plan.changes.push_back({field.name, false, std::nullopt});
        const auto* array = std::get_if<Array>(&field.value);
        if (array == nullptr) continue;
        for (std::size_t axis = 0; axis < field.axes.size() && axis < array->rank(); ++axis) {
            if (field.axes[axis].empty()) continue;
            const auto known = std::find_if(plan.dimensions.begin(), plan.dimensions.end(),
                                            [&](const Dimension& one) { return one.name == field.axes[axis]; });
            if (known == plan.dimensions.end())
                plan.dimensions.push_back({field.axes[axis], array->extents[axis], {}});
            else
                known->extent = std::max(known->extent, array->extents[axis]);
        }
    }
    for (Dimension& dimension : plan.dimensions) {
        dimension.indices.resize(static_cast<std::size_t>(dimension.extent));
        std::iota(dimension.indices.begin(), dimension.indices.end(), 0);
    }
    return plan;
}

std::vector<CaseSpec::Step> Plan::steps() const {
    std::vector<CaseSpec::Step> steps;
    for (const Dimension& dimension : dimensions)
        if (static_cast<std::int64_t>(dimension.indices.size()) < dimension.extent)
            steps.emplace_back(CaseSpec::Keep{dimension.name, dimension.indices});
    for (const Change& change : changes)
        if (change.packed) steps.emplace_back(CaseSpec::Change{change.field, "packed"});
    for (const Change& change : changes)
        if (change.value) steps.push_back(*change.value);
    return steps;
}

bool same(const Problem& a, const Problem& b) {
    if (a.route != b.route || a.fields.size() != b.fields.size()) return false;
    for (std::size_t i = 0; i < a.fields.size(); ++i) {
        const Value &left = a.fields[i].value, &right = b.fields[i].value;
        if (a.fields[i].name != b.fields[i].name || left.index() != right.index()) return false;
        const auto *x = std::get_if<Array>(&left), *y = std::get_if<Array>(&right);
        if (x != nullptr) {
            if (!identical(*x, *y)) return false;
        } else if (const auto* number = std::get_if<double>(&left)) {
            if (differ(*number, std::get<double>(right), 0)) return false;
        } else if (const auto* integer = std::get_if<std::int64_t>(&left)) {
            if (*integer != std::get<std::int64_t>(right)) return false;
        } else if (const auto* flag = std::get_if<bool>(&left)) {
            if (*flag != std::get<bool>(right)) return false;
        }
    }
    return true;
}

double shortest(Dtype dtype, double value) {
    if (!std::isfinite(value) || dtype == Dtype::f64 || !is_floating(dtype)) return value;
    for (int digits = 1; digits < 17; ++digits) {
        std::array<char, 40> text{};
        const auto printed =
            std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits);
        double candidate = 0;
        std::from_chars(text.data(), printed.ptr, candidate);
        std::array<std::byte, 8> stored{};
        store(dtype, stored.data(), candidate);
        if (load(dtype, stored.data()) == value) return candidate;
    }
    return value;
}

} // namespace assay
