// Delta debugging (Zeller and Hildebrandt, TSE 2002) over dimensions, then simpler values.
#include "judge/shrink.hpp"

#include "judge/elements.hpp"
#include "judge/plan.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>
#include <set>

namespace assay {

namespace {

using Indices = std::vector<std::int64_t>;
using Predicate = std::function<bool(const Problem&)>;

constexpr std::size_t most_literals = 24; // more values than this are no help to a reader

class Shrinker {
  public:
    Shrinker(const CaseSpec& start, const Problem& problem, const Predicate& valid, const Predicate& still_fails,
             const ShrinkLimits& limits)
        : start_(start), whole_(problem), valid_(valid), still_fails_(still_fails), limits_(limits),
          deadline_(std::chrono::steady_clock::now() + limits.time), plan_(Plan::of(problem)), current_(problem) {}

    Shrunk run() {
        for (bool changed = true; changed && !over();) {
            changed = shapes();
            changed = layouts() || changed;
            changed = absences() || changed;
            changed = values() || changed;
        }
        Shrunk shrunk{current_, start_, calls_};
        for (CaseSpec::Step& step : plan_.steps()) shrunk.spec.steps.push_back(std::move(step));
        return shrunk;
    }

  private:
    const CaseSpec& start_;
    const Problem& whole_;
    const Predicate& valid_;
    const Predicate& still_fails_;
    const ShrinkLimits limits_;
    const std::chrono::steady_clock::time_point deadline_;
    Plan plan_;
    Problem current_;
    std::set<std::string> tried_;
    int calls_ = 0;

    bool over() const { return calls_ >= limits_.calls || std::chrono::steady_clock::now() >= deadline_; }

    /// Goes over to `plan` where its problem is another one, valid, and fails as well.
    bool take(Plan plan) {
        if (over()) return false;
        const CaseSpec spec{"", plan.steps()};
        if (!tried_.insert(spec.text()).second) return false;
        Outcome<Problem> problem = assay::apply(whole_, spec);
        if (!problem || same(*problem, current_)) return false;
        try {
            if (!valid_(*problem)) return false;
            ++calls_;
            if (!still_fails_(*problem)) return false;
        } catch (const std::exception&) {
            return false; // the exercise reads a field that is gone
        }
        plan_ = std::move(plan);
        current_ = std::move(*problem);
        return true;
    }

    // Shapes -----------------------------------------------------------------------------------------------------

    bool keep(std::size_t dimension, Indices indices) {
        const Indices& now = plan_.dimensions[dimension].indices;
        if (indices.empty() || indices.size() >= now.size()) return false;
        Plan plan = plan_;
        plan.dimensions[dimension].indices = indices;
        for (std::int64_t& index : indices) // where it lies among those kept so far
            index = std::find(now.begin(), now.end(), index) - now.begin();
        carry_literals(plan, CaseSpec::Keep{plan.dimensions[dimension].name, std::move(indices)});
        return take(std::move(plan));
    }

    /// Values written out one by one belong to the shape they were written for.
    void carry_literals(Plan& plan, CaseSpec::Keep keep) const {
        const Outcome<Problem> kept = assay::apply(current_, CaseSpec::Step{std::move(keep)});
        if (!kept) return;
        for (std::size_t field = 0; field < plan.changes.size(); ++field) {
            auto& value = plan.changes[field].value;
            auto* set = value ? std::get_if<CaseSpec::Set>(&*value) : nullptr;
            const auto* array = std::get_if<Array>(&kept->fields[field].value);
            if (set == nullptr || array == nullptr || set->values.size() < 2) continue;
            set->values = elements_of(*array);
            for (double& x : set->values) x = shortest(array->dtype, x);
        }
    }

    bool shapes() {
        std::vector<std::size_t> order(plan_.dimensions.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        bool changed = false;
        for (bool again = true; again && !over();) {
            again = false;
            std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                return plan_.dimensions[a].indices.size() > plan_.dimensions[b].indices.size();
            });
            for (const std::size_t dimension : order) again = shorten(dimension) || again;
            changed = changed || again;
        }
        return changed;
    }

    /// One index where that does; else a prefix and a suffix found by halving (what many bugs need: enough keys, or the
    /// last block); then ddmin.
    bool shorten(std::size_t dimension) {
        const auto now = [&]() -> const Indices& { return plan_.dimensions[dimension].indices; };
        if (now().size() < 2) return false;
        if (keep(dimension, {now().front()}) || keep(dimension, {now().back()})) return true;
        bool changed = halve(dimension, true);
        changed = halve(dimension, false) || changed;
        std::size_t parts = 2;
        while (now().size() > 1 && !over()) {
            const std::size_t size = now().size(), step = (size + parts - 1) / parts;
            bool smaller = false;
            for (const bool complement : {false, true}) {
                for (std::size_t from = 0; from < size && !smaller; from += step) {
                    const Indices all = now();
                    const auto first = all.begin() + static_cast<std::ptrdiff_t>(from);
                    const auto last = all.begin() + static_cast<std::ptrdiff_t>(std::min(from + step, size));
                    Indices some(first, last);
                    if (complement) {
                        some.assign(all.begin(), first);
                        some.insert(some.end(), last, all.end());
                    }
                    smaller = keep(dimension, std::move(some));
                    if (smaller) parts = complement ? std::max<std::size_t>(parts - 1, 2) : 2;
                }
                if (smaller) break;
            }
            changed = changed || smaller;
            if (smaller) continue;
            if (step == 1) break;
            parts = std::min(parts * 2, size);
        }
        return changed;
    }

    /// The shortest prefix (or suffix) that halving finds to fail.
    bool halve(std::size_t dimension, bool prefix) {
        bool changed = false;
        std::size_t refused = 1; // one index was tried before
        while (!over()) {
            const Indices all = plan_.dimensions[dimension].indices;
            if (all.size() - refused < 2) break;
            const std::size_t length = (all.size() + refused) / 2;
            Indices some = prefix ? Indices(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(length))
                                  : Indices(all.end() - static_cast<std::ptrdiff_t>(length), all.end());
            if (keep(dimension, std::move(some)))
                changed = true;
            else
                refused = length;
        }
        return changed;
    }

    // Layout, optional fields, flags -----------------------------------------------------------------------------

    const Value& value(std::size_t field) const { return current_.fields[field].value; }
    const std::string& name(std::size_t field) const { return current_.fields[field].name; }

    bool layouts() {
        bool changed = false;
        for (std::size_t field = 0; field < current_.fields.size(); ++field) {
            if (!std::holds_alternative<Array>(value(field))) continue;
            Plan plan = plan_;
            plan.changes[field].packed = true;
            changed = take(std::move(plan)) || changed;
        }
        return changed;
    }

    bool set(std::size_t field, std::vector<double> values) {
        Plan plan = plan_;
        plan.changes[field].value = CaseSpec::Step{CaseSpec::Set{name(field), std::move(values)}};
        return take(std::move(plan));
    }

    bool change(std::size_t field, const char* to) {
        Plan plan = plan_;
        plan.changes[field].value = CaseSpec::Step{CaseSpec::Change{name(field), to}};
        if (std::string_view(to) == "none") plan.changes[field].packed = false;
        return take(std::move(plan));
    }

    bool absences() {
        bool changed = false;
        for (std::size_t field = 0; field < current_.fields.size(); ++field) {
            if (std::holds_alternative<bool>(value(field)))
                changed = set(field, {0}) || changed;
            else if (std::holds_alternative<Array>(value(field)) || std::holds_alternative<double>(value(field)))
                changed = change(field, "none") || changed;
        }
        return changed;
    }

    // Values -----------------------------------------------------------------------------------------------------

    bool values() {
        bool changed = false;
        for (std::size_t field = 0; field < current_.fields.size(); ++field) {
            if (const auto* array = std::get_if<Array>(&value(field)))
                changed = array_values(field, *array) || changed;
            else if (const auto* number = std::get_if<double>(&value(field)))
                changed = one_number(field, *number) || changed;
            else if (const auto* integer = std::get_if<std::int64_t>(&value(field)))
                changed = one_integer(field, *integer) || changed;
        }
        return changed;
    }

    bool one_number(std::size_t field, double now) {
        for (const double simple : {1.0, 0.5, 2.0, std::nearbyint(now)})
            if (simple == now || set(field, {simple})) return simple != now;
        return false;
    }

    bool one_integer(std::size_t field, std::int64_t now) {
        bool changed = false;
        for (const std::int64_t simple : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}})
            if (simple < now && set(field, {static_cast<double>(simple)})) return true;
        for (; now / 2 > 2 && set(field, {static_cast<double>(now / 2)}); now /= 2) changed = true;
        return changed;
    }

    bool array_values(std::size_t field, const Array& array) {
        if (array.size() == 0) return false;
        if (array.dtype == Dtype::boolean) return constant(field, 1) || constant(field, 0) || each_element(field);
        if (!is_floating(array.dtype)) return false; // whole numbers steer (block lengths, indices): they stay
        if (constant(field, 0) || constant(field, 1)) return true;
        const auto& step = plan_.changes[field].value;
        const bool spelt = step && std::holds_alternative<CaseSpec::Set>(*step); // simpler than rounding the original
        const bool whole = !spelt && change(field, "int");
        return each_element(field) || whole;
    }

    /// All elements `to`, unless they are that already or were made something simpler.
    bool constant(std::size_t field, double to) {
        const std::vector<double> now = elements_of(std::get<Array>(value(field)));
        const auto all = [&](double wanted) {
            return std::all_of(now.begin(), now.end(), [&](double x) { return x == wanted; });
        };
        if (all(0) || all(1)) return false;
        return set(field, {to});
    }

    bool each_element(std::size_t field) {
        const Array& array = std::get<Array>(value(field));
        if (static_cast<std::size_t>(array.size()) > most_literals) return false;
        const bool flags = array.dtype == Dtype::boolean;
        const Dtype dtype = array.dtype;
        bool changed = false;
        for (std::size_t i = 0; i < static_cast<std::size_t>(std::get<Array>(value(field)).size()); ++i) {
            std::vector<double> all = elements_of(std::get<Array>(value(field)));
            const double now = all[i];
            for (double& x : all) x = shortest(dtype, x);
            for (const double simple : simpler(now, flags)) {
                all[i] = simple;
                if (!set(field, all)) continue;
                changed = true;
                break;
            }
        }
        return changed;
    }

    /// Simpler values in place of `x`, simplest first.
    static std::vector<double> simpler(double x, bool flag) {
        if (flag) return x == 0 ? std::vector<double>{1} : std::vector<double>{};
        if (x == 0 || x == 1) return x == 1 ? std::vector<double>{0} : std::vector<double>{};
        std::vector<double> candidates{0, 1};
        const double sign = x < 0 ? -1 : 1;
        if (sign < 0 && x != -1) candidates.push_back(-1);
        for (const double round : {10.0, 100.0, 1000.0})
            if (std::fabs(x) > round && !(std::fabs(x) > 100 * round)) candidates.push_back(sign * round);
        const double whole = std::nearbyint(x) + 0.0;
        if (std::isfinite(x) && whole != x && std::fabs(x) < 1e6) candidates.push_back(whole);
        return candidates;
    }
};

} // namespace

Shrunk shrink(const CaseSpec& start, const Problem& problem, const std::function<bool(const Problem&)>& valid,
              const std::function<bool(const Problem&)>& still_fails, const ShrinkLimits& limits) {
    return Shrinker(start, problem, valid, still_fails, limits).run();
}

} // namespace assay
