#include "commands/solution.hpp"

#include "catalogue/embedded.hpp"
#include "catalogue/markdown.hpp"
#include "catalogue/state.hpp"
#include "commands/find_attempt.hpp"
#include "commands/print.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace assay {

Exit solution_command(const SolutionArguments& arguments) {
    std::string note;
    const State state = read_state(state_file(), note);
    print_note(note);
    const std::string id = current_exercise(arguments.exercise, here(), state);
    const Progress& progress = state.of(id);
    const bool passed = progress.best == Verdict::AC;
    if (!passed && !arguments.reveal)
        throw Stop(
            Exit::falls_short,
            fmt::format("the solution opens when your attempt passes; to see it now: assay solution {} --reveal (your "
                        "records will say so)",
                        id));
    const auto source = embedded(fmt::format("solutions/{}/solution.cpp", id));
    if (!source) throw Stop(Exit::fault, fmt::format("solutions/{}/solution.cpp is missing from this build", id));
    if (!passed)
        print_note(change_state(state_file(), [&](State& changed) { changed.exercises[id].solution_revealed = true; }));

    const Style style = style_for(arguments.color, STDOUT_FILENO);
    if (const auto walkthrough = embedded(fmt::format("solutions/{}/walkthrough.md", id)))
        print(render_markdown(*walkthrough, style) + "\n");
    print(style.bold(fmt::format("solutions/{}/solution.cpp", id)) + "\n\n" + std::string(*source));
    return Exit::passed;
}

} // namespace assay
