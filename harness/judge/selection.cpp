#include "judge/selection.hpp"

#include "judge/ask.hpp"
#include "judge/spec.hpp"

#include <exception>
#include <fmt/format.h>

namespace assay {

namespace {

Failure usage(std::string reason) { return Failure{Verdict::SKIP, std::move(reason)}; }

const Level* find_level(const Exercise& exercise, const std::string& name) {
    const std::vector<int> numbers = level_numbers(exercise);
    for (std::size_t i = 0; i < exercise.levels.size(); ++i)
        if (exercise.levels[i].id == name || std::to_string(numbers[i]) == name) return &exercise.levels[i];
    return nullptr;
}

std::string level_list(const Exercise& exercise) {
    const std::vector<int> numbers = level_numbers(exercise);
    std::string list;
    for (std::size_t i = 0; i < exercise.levels.size(); ++i)
        list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", numbers[i], exercise.levels[i].id);
    return list;
}

bool is_valid(const Exercise& exercise, const Problem& problem) {
    try {
        return !exercise.valid || exercise.valid(problem);
    } catch (const std::exception&) {
        return false; // it asks for a field that a step took away
    }
}

Outcome<Selection::Single> find_single(const Exercise& exercise, const Level* only, const CheckOptions& options) {
    const Outcome<CaseSpec> spec = parse_spec(options.case_spec);
    if (!spec) return spec.failure();
    Selection::Single single;
    for (const Level& level : exercise.levels)
        for (const Case& one : level.cases)
            if (one.id == spec->case_id && (only == nullptr || only == &level)) {
                single.level = &level;
                single.one = &one;
            }
    if (single.one == nullptr)
        return usage(fmt::format("{} has no case '{}'{}", exercise.id, spec->case_id,
                                 only == nullptr ? "" : " in level " + only->id));
    const Outcome<Problem> whole = problem_of(*single.one, options.seed);
    if (!whole) return whole.failure();
    Outcome<Problem> problem = apply(*whole, *spec);
    if (!problem) return problem.failure();
    if (!is_valid(exercise, *problem))
        return usage(fmt::format("case '{}' breaks the contract's preconditions; leave some of its steps out",
                                 options.case_spec));
    single.problem = std::move(*problem);
    return single;
}

} // namespace

std::vector<int> level_numbers(const Exercise& exercise) {
    std::vector<int> numbers(exercise.levels.size(), 0);
    int next = 0;
    for (const bool must : {true, false})
        for (std::size_t i = 0; i < exercise.levels.size(); ++i)
            if (exercise.levels[i].must == must) numbers[i] = ++next;
    return numbers;
}

Outcome<Selection> select(const Exercise& exercise, const CheckOptions& options) {
    const Level* only = nullptr;
    if (!options.level.empty() && (only = find_level(exercise, options.level)) == nullptr)
        return usage(
            fmt::format("{} has no level '{}'; its levels are {}", exercise.id, options.level, level_list(exercise)));
    Selection selection;
    for (const Level& level : exercise.levels)
        if (only == nullptr || only == &level) selection.levels.push_back(&level);
    if (options.case_spec.empty()) return selection;
    Outcome<Selection::Single> single = find_single(exercise, only, options);
    if (!single) return single.failure();
    selection.single = std::move(*single);
    return selection;
}

} // namespace assay
