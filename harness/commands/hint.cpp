#include "commands/hint.hpp"

#include "catalogue/embedded.hpp"
#include "catalogue/hints.hpp"
#include "catalogue/markdown.hpp"
#include "catalogue/state.hpp"
#include "commands/find_attempt.hpp"
#include "commands/known_names.hpp"
#include "commands/print.hpp"
#include "core/registry.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace assay {

Exit hint_command(const HintArguments& arguments) {
    std::string note;
    const State state = read_state(state_file(), note);
    print_note(note);
    const std::string id = current_exercise(arguments.exercise, here(), state);
    const Exercise& exercise = *find_exercise(id);
    const Progress& progress = state.of(id);
    if (exercise.levels.empty()) throw Stop(Exit::fault, id + " has no levels");

    std::string name = arguments.level.empty() ? progress.failing_level : arguments.level;
    if (name.empty() && progress.best == Verdict::AC) {
        print(fmt::format(
            "Every level of {0} passes: there is nothing left to hint at. Compare notes: assay solution {0}\n", id));
        return Exit::passed;
    }
    if (name.empty()) name = exercise.levels.front().id;
    CheckOptions wanted;
    wanted.level = name;
    require_known(exercise, wanted);
    const Level& level = *find_level(exercise, name);

    const auto text = embedded(fmt::format("exercises/{}/hints.md", id));
    const auto sections = split_hints(text.value_or(""));
    const auto section = sections.find(level.id);
    if (section == sections.end() || section->second.empty())
        throw Stop(Exit::fault, fmt::format("exercises/{}/hints.md has no section '## {}'", id, level.id));
    const std::vector<std::string>& hints = section->second;
    const auto seen = progress.hints.find(level.id);
    const std::size_t before =
        seen == progress.hints.end() || seen->second < 0 ? 0 : static_cast<std::size_t>(seen->second);
    const std::size_t at = std::min(before, hints.size() - 1); // after the last one, the last one again

    const Style style = style_for(arguments.color, STDOUT_FILENO);
    std::string head = style.bold(fmt::format("{}: {}", id, level.title));
    if (hints.size() > 1) head += style.dim(fmt::format("  hint {} of {}", at + 1, hints.size()));
    print(head + "\n\n" + render_markdown(hints[at], style));
    if (at + 1 < hints.size()) print("\n" + style.dim("More: assay hint " + id) + "\n");
    print_note(change_state(state_file(), [&](State& changed) {
        int& count = changed.exercises[id].hints[level.id];
        count = std::max(count, static_cast<int>(at) + 1);
    }));
    return Exit::passed;
}

} // namespace assay
