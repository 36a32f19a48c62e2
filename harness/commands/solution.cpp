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

/// ".cpp", ".py" or ".cu": what was asked for, else what the attempt at hand is written in.
std::string extension_for(const std::string& id, const SolutionArguments& arguments, const State& state) {
    if (!arguments.language.empty())
        return arguments.language == "python" ? ".py" : arguments.language == "cuda" ? ".cu" : ".cpp";
    try {
        return find_attempt(id, "", here(), state).source.extension();
    } catch (const Stop&) { // none, or several
        return ".cpp";
    }
}

std::string solution_of(const std::string& id, const SolutionArguments& arguments, const State& state) {
    const std::string wanted = fmt::format("solutions/{}/solution{}", id, extension_for(id, arguments, state));
    if (embedded(wanted)) return wanted;
    if (!arguments.language.empty())
        throw Stop(Exit::usage,
                   fmt::format("there is no solution of {0} in {1}: see the one in C++ with: assay solution {0}", id,
                               arguments.language == "cuda" ? "CUDA" : "Python"));
    return fmt::format("solutions/{}/solution.cpp", id);
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
