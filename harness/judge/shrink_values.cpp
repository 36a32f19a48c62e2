// Simpler fields, once the shape is small: layout, what may be absent, and values.
#include "judge/elements.hpp"
#include "judge/shrinker.hpp"

#include <algorithm>
#include <cmath>

namespace assay {

namespace {

constexpr std::size_t most_literals = 24; // more values than this are no help to a reader

const Value& value_of(const Shrinker& shrinker, std::size_t field) { return shrinker.problem().fields[field].value; }

std::size_t field_count(const Shrinker& shrinker) { return shrinker.problem().fields.size(); }

std::vector<double> elements_now(const Shrinker& shrinker, std::size_t field) {
    return elements_of(std::get<Array>(value_of(shrinker, field)));
}

/// Simpler values in place of `x`, simplest first.
std::vector<double> simpler(double x, Dtype dtype) {
    if (dtype == Dtype::boolean) return x == 0 ? std::vector<double>{1} : std::vector<double>{};
    if (!is_floating(dtype)) return x > 1 ? std::vector<double>{0, 1, 2, std::nearbyint(x / 2)} : std::vector<double>{};
    if (x == 0) return {};
    if (x == 1) return {0};
    std::vector<double> candidates{0, 1};
    const double sign = x < 0 ? -1 : 1;
    if (sign < 0 && x != -1) candidates.push_back(-1);
    for (const double round : {10.0, 100.0, 1000.0})
        if (std::fabs(x) > round && std::fabs(x) <= 100 * round) candidates.push_back(sign * round);
    const double whole = std::nearbyint(x) + 0.0;
    if (std::isfinite(x) && whole != x && std::fabs(x) < 1e6) candidates.push_back(whole);
    return candidates;
}

/// All elements `to`, unless they are that already or were made something as simple.
bool constant(Shrinker& shrinker, std::size_t field, double to) {
    const std::vector<double> now = elements_now(shrinker, field);
    const auto all = [&](double wanted) {
        return std::all_of(now.begin(), now.end(), [&](double x) { return x == wanted; });
    };
    return !all(0) && !all(1) && shrinker.set(field, {to});
}

bool each_element(Shrinker& shrinker, std::size_t field) {
    const Dtype dtype = std::get<Array>(value_of(shrinker, field)).dtype;
    const std::size_t count = elements_now(shrinker, field).size();
    if (count > most_literals) return false;
    bool changed = false;
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<double> all = elements_now(shrinker, field);
        const double now = all[i];
        for (double& x : all) x = shortest(dtype, x);
        for (const double simple : simpler(now, dtype)) {
            all[i] = simple;
            if (!shrinker.set(field, all)) continue;
            changed = true;
            break;
        }
    }
    return changed;
}

bool simplify_array(Shrinker& shrinker, std::size_t field) {
    const auto& array = std::get<Array>(value_of(shrinker, field));
    if (array.size() == 0) return false;
    // True may attend, and one is the shortest block: in flags and whole numbers 1 is the plainer.
    if (!is_floating(array.dtype))
        return constant(shrinker, field, 1) || constant(shrinker, field, 0) || each_element(shrinker, field);
    if (constant(shrinker, field, 0) || constant(shrinker, field, 1)) return true;
    const auto& step = shrinker.plan().changes[field].value;
    const bool spelt = step && std::holds_alternative<CaseSpec::Set>(*step); // simpler than rounding the original
    const bool whole = !spelt && shrinker.change(field, "int");
    return each_element(shrinker, field) || whole;
}

bool simplify_number(Shrinker& shrinker, std::size_t field, double now) {
    for (const double simple : {1.0, 0.5, 2.0, std::nearbyint(now)})
        if (simple == now || shrinker.set(field, {simple})) return simple != now;
    return false;
}

bool simplify_integer(Shrinker& shrinker, std::size_t field, std::int64_t now) {
    const auto set_integer = [&](std::int64_t to) { return shrinker.set(field, {static_cast<double>(to)}); };
    for (const std::int64_t simple : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}})
        if (simple < now && set_integer(simple)) return true;
    bool changed = false;
    for (; now / 2 > 2 && set_integer(now / 2); now /= 2) changed = true;
    return changed;
}

} // namespace

bool simplify_layouts(Shrinker& shrinker) {
    bool changed = false;
    for (std::size_t field = 0; field < field_count(shrinker); ++field) {
        if (!std::holds_alternative<Array>(value_of(shrinker, field))) continue;
        Plan plan = shrinker.plan();
        plan.changes[field].packed = true;
        changed = shrinker.take(std::move(plan)) || changed;
    }
    return changed;
}

bool simplify_absences(Shrinker& shrinker) {
    bool changed = false;
    for (std::size_t field = 0; field < field_count(shrinker); ++field) {
        const Value& value = value_of(shrinker, field);
        if (std::holds_alternative<bool>(value))
            changed = shrinker.set(field, {0}) || changed;
        else if (std::holds_alternative<Array>(value) || std::holds_alternative<double>(value))
            changed = shrinker.change(field, "none") || changed;
    }
    return changed;
}

bool simplify_values(Shrinker& shrinker) {
    bool changed = false;
    for (std::size_t field = 0; field < field_count(shrinker); ++field) {
        const Value& value = value_of(shrinker, field);
        if (std::holds_alternative<Array>(value))
            changed = simplify_array(shrinker, field) || changed;
        else if (const auto* number = std::get_if<double>(&value))
            changed = simplify_number(shrinker, field, *number) || changed;
        else if (const auto* integer = std::get_if<std::int64_t>(&value))
            changed = simplify_integer(shrinker, field, *integer) || changed;
    }
    return changed;
}

} // namespace assay
