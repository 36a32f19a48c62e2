#include "commands/start.hpp"

#include "catalogue/embedded.hpp"
#include "catalogue/state.hpp"
#include "commands/find_attempt.hpp"
#include "commands/print.hpp"
#include "commands/workspace.hpp"
#include "core/cuda_contract.hpp"
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

std::string cuda_start(const std::string& id) {
    const auto starter = embedded("exercises/" + id + "/starter.cu");
    if (!starter || cuda_contract_of(id).empty())
        throw Stop(Exit::usage, fmt::format("{0} is not asked in CUDA: start it in C++ with: assay start {0}", id));
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
    const bool python = arguments.language == "python", cuda = arguments.language == "cuda";
    if (python)
        if (const Outcome<Interpreter> found = find_interpreter(); !found)
            throw Stop(Exit::environment, found.failure().reason);
    const fs::path folder = (here() / (arguments.folder.empty() ? id : arguments.folder)).lexically_normal();
    const LaidFiles laid = lay(folder, python ? python_workspace(id, python_start(id))
                                       : cuda ? cuda_workspace(id, cuda_start(id))
                                              : cpp_workspace(id, cpp_start(id)));

    const Style style = style_for(arguments.color, STDOUT_FILENO);
    const std::string name = folder.lexically_relative(here()).string().empty()
                                 ? folder.string()
                                 : folder.lexically_relative(here()).string();
    const std::string attempt = id + (python ? ".py" : cuda ? ".cu" : ".cpp");
    bool several = false; // in other languages
    for (const char* extension : {".cpp", ".py", ".cu"}) {
        std::error_code ignored;
        several = several || (id + extension != attempt && fs::exists(folder / (id + extension), ignored));
    }
    const std::string watched = several ? shell_word(name + "/" + attempt) : id;
    std::string text = told(laid, name);
    text += fmt::format("\n  {}   the statement\n  {}   what you write\n  {}   at every save: right, wrong and why\n",
                        style.bold(pad_right(shell_word(name + "/README.md"), 28)),
                        style.bold(pad_right(shell_word(name + "/" + attempt), 28)),
                        style.bold(pad_right("assay watch " + watched, 28)));
    if (cuda) text += "\n  There is no GPU in this: kernels are emulated on the CPU, for correctness only.\n";
    print(text);
    print_note(change_state(state_file(), [&](State& state) {
        state.exercises[id].workspace = folder.string();
        state.latest = id;
    }));
    return Exit::passed;
}

} // namespace assay
