#include "commands/known_names.hpp"

#include "commands/stop.hpp"
#include "judge/selection.hpp"
#include "judge/spec.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace assay {

namespace {

std::string level_names(const Exercise& exercise) {
    const std::vector<int> numbers = level_numbers(exercise);
    std::string list;
    for (std::size_t i = 0; i < exercise.levels.size(); ++i)
        list += fmt::format("{}{} {}", list.empty() ? "" : ", ", numbers[i], exercise.levels[i].id);
    return list;
}

} // namespace

const Level* find_level(const Exercise& exercise, const std::string& name) {
    const std::vector<int> numbers = level_numbers(exercise);
    for (std::size_t i = 0; i < exercise.levels.size(); ++i)
        if (name == exercise.levels[i].id || name == std::to_string(numbers[i])) return &exercise.levels[i];
    return nullptr;
}

void require_known(const Exercise& exercise, const CheckOptions& options) {
    const Level* level = find_level(exercise, options.level);
    if (!options.level.empty() && level == nullptr)
        throw Stop(Exit::usage, fmt::format("no such level of {}: {} (there are {})", exercise.id,
                                            printable(options.level), level_names(exercise)));
    if (options.case_spec.empty()) return;
    const Outcome<CaseSpec> spec = parse_spec(options.case_spec);
    if (!spec) throw Stop(Exit::usage, spec.failure().reason);
    std::vector<std::string> ids;
    for (const Level& one : exercise.levels)
        if (level == nullptr || level == &one)
            for (const Case& known : one.cases) ids.push_back(known.id);
    if (std::find(ids.begin(), ids.end(), spec->case_id) != ids.end()) return;
    const std::string near = nearest(spec->case_id, ids);
    std::string list;
    for (const std::string& id : ids) list += (list.empty() ? "" : ", ") + id;
    throw Stop(Exit::usage, fmt::format("no such case of {}{}: {} ({}there are {})", exercise.id,
                                        level == nullptr ? "" : ", level " + level->id, printable(spec->case_id),
                                        near.empty() ? "" : "did you mean " + near + "? ", list));
}

} // namespace assay
