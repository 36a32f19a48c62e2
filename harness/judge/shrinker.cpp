#include "judge/shrinker.hpp"

#include "judge/elements.hpp"

#include <algorithm>
#include <exception>
#include <string_view>

namespace assay {

namespace {

/// Values written out one by one belong to the shape they were written for: reads them off `kept`, where they have the
/// new one.
void carry_literals(Plan& plan, const Problem& kept) {
    for (std::size_t field = 0; field < plan.changes.size(); ++field) {
        auto& value = plan.changes[field].value;
        auto* set = value ? std::get_if<CaseSpec::Set>(&*value) : nullptr;
        const auto* array = std::get_if<Array>(&kept.fields[field].value);
        if (set == nullptr || array == nullptr || set->values.size() < 2) continue;
        set->values = elements_of(*array);
        for (double& x : set->values) x = shortest(array->dtype, x);
    }
}

} // namespace

Shrinker::Shrinker(const Problem& problem, const Predicate& valid, const Predicate& still_fails,
                   const ShrinkLimits& limits)
    : whole_(problem), valid_(valid), still_fails_(still_fails), limits_(limits),
      deadline_(std::chrono::steady_clock::now() + limits.time), plan_(Plan::of(problem)), current_(problem) {}

bool Shrinker::over() const { return cost_ >= limits_.calls || std::chrono::steady_clock::now() >= deadline_; }

bool Shrinker::take(Plan plan) {
    if (over()) return false;
    const CaseSpec spec{"", plan.steps()};
    if (!tried_.insert(spec.text()).second) return false;
    Outcome<Problem> problem = assay::apply(whole_, spec);
    if (!problem || same(*problem, current_)) return false;
    try {
        if (!valid_(*problem)) return false;
        ++calls_;
        cost_ += 1 + elements_of_inputs(*problem) / 4096;
        if (!still_fails_(*problem)) return false;
    } catch (const std::exception&) {
        return false; // the exercise reads a field that is gone
    }
    plan_ = std::move(plan);
    current_ = std::move(*problem);
    return true;
}

bool Shrinker::keep(const std::vector<Kept>& kept) {
    Plan plan = plan_;
    CaseSpec relative; // from the current problem
    for (const Kept& one : kept) {
        Plan::Dimension& dimension = plan.dimensions[one.dimension];
        if (one.indices.empty() || one.indices.size() >= dimension.indices.size()) return false;
        CaseSpec::Keep step{dimension.name, {}};
        for (const std::int64_t index : one.indices)
            step.indices.push_back(std::find(dimension.indices.begin(), dimension.indices.end(), index) -
                                   dimension.indices.begin());
        relative.steps.emplace_back(std::move(step));
        dimension.indices = one.indices;
    }
    const Outcome<Problem> result = assay::apply(current_, relative);
    if (!result) return false;
    carry_literals(plan, *result);
    return take(std::move(plan));
}

bool Shrinker::set(std::size_t field, std::vector<double> values) {
    Plan plan = plan_;
    plan.changes[field].value = CaseSpec::Step{CaseSpec::Set{current_.fields[field].name, std::move(values)}};
    return take(std::move(plan));
}

bool Shrinker::change(std::size_t field, const char* to) {
    Plan plan = plan_;
    plan.changes[field].value = CaseSpec::Step{CaseSpec::Change{current_.fields[field].name, to}};
    if (std::string_view(to) == "none") plan.changes[field].packed = false;
    return take(std::move(plan));
}

} // namespace assay
