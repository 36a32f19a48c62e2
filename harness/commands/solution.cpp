#include "commands/solution.hpp"

#include "catalogue/embedded.hpp"
#include "catalogue/markdown.hpp"
#include "catalogue/state.hpp"
#include "commands/find_attempt.hpp"
#include "commands/print.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace assay {

namespace {

/// Whether the attempt at hand is in Python.
bool in_python(const std::string& id, const State& state) {
    try {
        return find_attempt(id, "", here(), state).source.extension() == ".py";
    } catch (const Stop&) { // none, or several
        return false;
    }
}

std::string solution_of(const std::string& id, const SolutionArguments& arguments, const State& state) {
    const std::string python = fmt::format("solutions/{}/solution.py", id);
    const bool there = embedded(python).has_value();
    if (arguments.language == "python" && !there)
        throw Stop(
            Exit::usage,
            fmt::format("there is no solution of {0} in Python: see the one in C++ with: assay solution {0}", id));
    const bool wanted = arguments.language == "python" || (arguments.language.empty() && in_python(id, state));
    return wanted && there ? python : fmt::format("solutions/{}/solution.cpp", id);
}

} // namespace

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
    const std::string file = solution_of(id, arguments, state);
    const auto source = embedded(file);
    if (!source) throw Stop(Exit::fault, file + " is missing from this build");
    if (!passed)
        print_note(change_state(state_file(), [&](State& changed) { changed.exercises[id].solution_revealed = true; }));

    const Style style = style_for(arguments.color, STDOUT_FILENO);
    if (const auto walkthrough = embedded(fmt::format("solutions/{}/walkthrough.md", id)))
        print(render_markdown(*walkthrough, style) + "\n");
    print(style.bold(file) + "\n\n" + std::string(*source));
    return Exit::passed;
}

} // namespace assay
