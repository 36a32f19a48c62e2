#include "commands/start.hpp"

#include "catalogue/embedded.hpp"
#include "catalogue/state.hpp"
#include "commands/find_attempt.hpp"
#include "commands/print.hpp"
#include "commands/workspace.hpp"
#include "python/contract_python.hpp"
#include "python/interpreter.hpp"
#include "report/text.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace assay {

namespace {

std::string cpp_start(const std::string& id) {
    const auto starter = embedded("exercises/" + id + "/starter.cpp");
    if (!starter) throw Stop(Exit::fault, "the starter of " + id + " is missing from this build of Assay");
    return std::string(*starter);
}

std::string python_start(const std::string& id) {
    const auto own = embedded("exercises/" + id + "/starter.py");
    return own ? std::string(*own) : python_starter(contract_of(id));
}

} // namespace

Exit start_command(const StartArguments& arguments) {
    const std::string& id = arguments.exercise;
    require_exercise(id);
    if (arguments.language == "cuda")
        throw Stop(Exit::environment,
                   fmt::format("not yet possible: CUDA attempts at {} are not supported by this version; "
                               "start it in C++ with: assay start {}",
                               id, id));
    const bool python = arguments.language == "python";
    if (python)
        if (const Outcome<Interpreter> found = find_interpreter(); !found)
            throw Stop(Exit::environment, found.failure().reason);
    const fs::path folder = (here() / (arguments.folder.empty() ? id : arguments.folder)).lexically_normal();
    const LaidFiles laid =
        lay(folder, python ? python_workspace(id, python_start(id)) : cpp_workspace(id, cpp_start(id)));

    const Style style = style_for(arguments.color, STDOUT_FILENO);
    const std::string name = folder.lexically_relative(here()).string().empty()
                                 ? folder.string()
                                 : folder.lexically_relative(here()).string();
    const std::string attempt = id + (python ? ".py" : ".cpp");
    std::error_code ignored;
    const bool both = fs::exists(folder / (id + (python ? ".cpp" : ".py")), ignored);
    const std::string watched = both ? shell_word(name + "/" + attempt) : id;
    std::string text = told(laid, name);
    text += fmt::format("\n  {}   the statement\n  {}   what you write\n  {}   at every save: right, wrong and why\n",
                        style.bold(pad_right(shell_word(name + "/README.md"), 28)),
                        style.bold(pad_right(shell_word(name + "/" + attempt), 28)),
                        style.bold(pad_right("assay watch " + watched, 28)));
    print(text);
    print_note(change_state(state_file(), [&](State& state) {
        state.exercises[id].workspace = folder.string();
        state.latest = id;
    }));
    return Exit::passed;
}

} // namespace assay
