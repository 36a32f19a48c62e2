#include "commands/start.hpp"

#include "catalogue/embedded.hpp"
#include "catalogue/files.hpp"
#include "catalogue/settings.hpp"
#include "catalogue/state.hpp"
#include "commands/build_inputs.hpp"
#include "commands/find_attempt.hpp"
#include "commands/print.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace assay {

namespace {

constexpr std::string_view manifest_name = ".assay/laid.txt";

struct Laid {
    std::string path; // in the workspace
    std::string text;
};

/// FNV-1a: enough to see whether a file is still as it was laid.
std::string fingerprint(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return fmt::format("{:016x}", hash);
}

std::string text_of(const std::string& path) {
    const auto text = embedded(path);
    if (!text) throw Stop(Exit::fault, path + " is missing from this build of Assay");
    return std::string(*text);
}

/// One flag a line, as clangd reads it; relative paths start at the file's folder.
std::string compile_flags(const Settings& settings) {
    std::string text;
    for (const std::string& flag : settings.flags) text += flag + "\n";
    for (const std::string& flag : eigen_flags()) text += flag + "\n";
    return text + "-Wall\n-I.\n-I.assay/include\n-xc++\n";
}

/// clangd takes unused includes for faults, and the contract is included for its declarations alone.
constexpr std::string_view clangd_settings = "Diagnostics:\n"
                                             "  UnusedIncludes: None\n"
                                             "Index:\n"
                                             "  Background: Skip\n";

std::vector<Laid> workspace_files(const std::string& id) {
    const Outcome<Settings> settings = settings_of(id);
    if (!settings) throw Stop(Exit::fault, settings.failure().reason);
    const std::string from = "exercises/" + id + "/";
    std::vector<Laid> files{{"README.md", text_of(from + "README.md")},
                            {"contract.hpp", text_of(from + "contract.hpp")},
                            {id + ".cpp", text_of(from + "starter.cpp")},
                            {"compile_flags.txt", compile_flags(*settings)},
                            {".clangd", std::string(clangd_settings)}};
    constexpr std::string_view headers = "contract/assay/";
    for (const EmbeddedFile& file : embedded_files())
        if (file.path.substr(0, headers.size()) == headers)
            files.push_back(
                {".assay/include/assay/" + std::string(file.path.substr(headers.size())), std::string(file.text)});
    return files;
}

/// Fingerprints of what an earlier `start` laid, by path.
std::map<std::string, std::string> read_manifest(const fs::path& folder) {
    std::map<std::string, std::string> manifest;
    bool ok = false;
    for (const std::string& line : lines_of(read_text(folder / manifest_name, ok)))
        if (line.size() > 17) manifest[line.substr(17)] = line.substr(0, 16);
    return manifest;
}

void write_or_stop(const fs::path& path, std::string_view text) {
    if (const std::string reason = write_text(path, text); !reason.empty()) throw Stop(Exit::usage, reason);
}

} // namespace

Exit start_command(const StartArguments& arguments) {
    const std::string& id = arguments.exercise;
    require_exercise(id);
    if (arguments.language != "cpp")
        throw Stop(Exit::environment,
                   fmt::format("not yet possible: {} attempts at {} are not supported by this version; "
                               "start it in C++ with: assay start {}",
                               arguments.language == "cuda" ? "CUDA" : "Python", id, id));
    const fs::path folder = (here() / (arguments.folder.empty() ? id : arguments.folder)).lexically_normal();
    std::error_code failed;
    if (fs::exists(folder, failed) && !fs::is_directory(folder, failed))
        throw Stop(Exit::usage,
                   fmt::format("{} is a file, not a folder: name another place", printable(folder.string())));

    const std::map<std::string, std::string> before = read_manifest(folder);
    std::string manifest, kept;
    int written = 0;
    for (const Laid& file : workspace_files(id)) {
        const fs::path path = folder / file.path;
        bool readable = false;
        const std::string present = read_text(path, readable);
        const auto laid = before.find(file.path);
        const bool untouched = laid != before.end() && laid->second == fingerprint(present);
        // What cannot be read but is there counts as edited too: better kept than lost.
        const bool edited =
            fs::exists(fs::symlink_status(path, failed)) && (!readable || (present != file.text && !untouched));
        if (edited) {
            kept += (kept.empty() ? "" : ", ") + file.path;
            if (laid != before.end()) manifest += laid->second + " " + file.path + "\n";
            continue;
        }
        if (!readable || present != file.text) {
            write_or_stop(path, file.text);
            ++written;
        }
        manifest += fingerprint(file.text) + " " + file.path + "\n";
    }
    write_or_stop(folder / manifest_name, manifest);

    const Style style = style_for(arguments.color, STDOUT_FILENO);
    const std::string name = folder.lexically_relative(here()).string().empty()
                                 ? folder.string()
                                 : folder.lexically_relative(here()).string();
    std::string text = written > 0 ? fmt::format("{} laid in {}.\n", counted(written, "file"), printable(name))
                                   : fmt::format("Nothing to lay: {} is complete.\n", printable(name));
    if (!kept.empty()) text += fmt::format("Kept as you edited it: {}.\n", kept);
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
