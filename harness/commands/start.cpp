#include "commands/start.hpp"

#include "catalogue/embedded.hpp"
#include "catalogue/state.hpp"
#include "commands/find_attempt.hpp"
#include "commands/print.hpp"
#include "commands/workspace.hpp"
#include "report/text.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace assay {

Exit start_command(const StartArguments& arguments) {
    const std::string& id = arguments.exercise;
    require_exercise(id);
    if (arguments.language != "cpp")
        throw Stop(Exit::environment,
                   fmt::format("not yet possible: {} attempts at {} are not supported by this version; "
                               "start it in C++ with: assay start {}",
                               arguments.language == "cuda" ? "CUDA" : "Python", id, id));
    const auto starter = embedded("exercises/" + id + "/starter.cpp");
    if (!starter) throw Stop(Exit::fault, "the starter of " + id + " is missing from this build of Assay");
    const fs::path folder = (here() / (arguments.folder.empty() ? id : arguments.folder)).lexically_normal();
    const LaidFiles laid = lay(folder, workspace_files(id, id + ".cpp", std::string(*starter)));

    const Style style = style_for(arguments.color, STDOUT_FILENO);
    const std::string name = folder.lexically_relative(here()).string().empty()
                                 ? folder.string()
                                 : folder.lexically_relative(here()).string();
    std::string text = told(laid, name);
    text += fmt::format("\n  {}   the statement\n  {}   what you write\n  {}   at every save: right, wrong and why\n",
                        style.bold(pad_right(shell_word(name + "/README.md"), 28)),
                        style.bold(pad_right(shell_word(name + "/" + id + ".cpp"), 28)),
                        style.bold(pad_right("assay watch " + id, 28)));
    print(text);
    print_note(change_state(state_file(), [&](State& state) {
        state.exercises[id].workspace = folder.string();
        state.latest = id;
    }));
    return Exit::passed;
}

} // namespace assay
