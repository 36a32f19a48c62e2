#include "commands/workspace.hpp"

#include "catalogue/embedded.hpp"
#include "catalogue/files.hpp"
#include "catalogue/settings.hpp"
#include "commands/build_inputs.hpp"
#include "commands/stop.hpp"
#include "core/fnv.hpp"
#include "python/contract_python.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <system_error>

namespace fs = std::filesystem;

namespace assay {

namespace {

constexpr std::string_view manifest_name = ".assay/laid.txt";

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

/// Fingerprints of what an earlier `start` laid, by path.
std::map<std::string, std::string> read_manifest(const fs::path& folder) {
    std::map<std::string, std::string> manifest;
    bool ok = false;
    for (const std::string& line : lines_of(read_text(folder / manifest_name, ok)))
        if (line.size() > 17) manifest[line.substr(17)] = line.substr(0, 16);
    return manifest;
}

void add_light_headers(std::vector<WorkspaceFile>& files) {
    constexpr std::string_view headers = "contract/assay/";
    for (const EmbeddedFile& file : embedded_files())
        if (file.path.substr(0, headers.size()) == headers)
            files.push_back(
                {".assay/include/assay/" + std::string(file.path.substr(headers.size())), std::string(file.text)});
}

void write_or_stop(const fs::path& path, std::string_view text) {
    if (const std::string reason = write_text(path, text); !reason.empty()) throw Stop(Exit::usage, reason);
}

} // namespace

std::string fingerprint(std::string_view text) { return fmt::format("{:016x}", fnv1a(text)); }

std::vector<WorkspaceFile> cpp_workspace(const std::string& exercise, const std::string& source) {
    const Outcome<Settings> settings = settings_of(exercise);
    if (!settings) throw Stop(Exit::fault, settings.failure().reason);
    const std::string from = "exercises/" + exercise + "/";
    std::vector<WorkspaceFile> files{{"README.md", text_of(from + "README.md")},
                                     {"contract.hpp", text_of(from + "contract.hpp")},
                                     {exercise + ".cpp", source},
                                     {"compile_flags.txt", compile_flags(*settings)},
                                     {".clangd", std::string(clangd_settings)}};
    add_light_headers(files);
    return files;
}

std::vector<WorkspaceFile> cuda_workspace(const std::string& exercise, const std::string& source) {
    const std::string from = "exercises/" + exercise + "/";
    std::vector<WorkspaceFile> files{{"README.md", text_of(from + "README.md")},
                                     {"contract.hpp", text_of(from + "contract.hpp")},
                                     {"contract.cuh", text_of(from + "contract.cuh")},
                                     {exercise + ".cu", source}};
    add_light_headers(files);
    return files;
}

std::vector<WorkspaceFile> python_workspace(const std::string& exercise, const std::string& source) {
    const std::string from = "exercises/" + exercise + "/";
    std::vector<WorkspaceFile> files{{"README.md", text_of(from + "README.md")},
                                     {"contract.hpp", text_of(from + "contract.hpp")},
                                     {"contract.py", contract_module(contract_of(exercise))},
                                     {exercise + ".py", source}};
    constexpr std::string_view runtime = "python/assay/";
    for (const EmbeddedFile& file : embedded_files())
        if (file.path.substr(0, runtime.size()) == runtime)
            files.push_back({"assay/" + std::string(file.path.substr(runtime.size())), std::string(file.text)});
    return files;
}

LaidFiles lay(const fs::path& folder, const std::vector<WorkspaceFile>& files) {
    std::error_code failed;
    if (fs::exists(folder, failed) && !fs::is_directory(folder, failed))
        throw Stop(Exit::usage,
                   fmt::format("{} is a file, not a folder: name another place", printable(folder.string())));
    const std::map<std::string, std::string> before = read_manifest(folder);
    std::string manifest;
    LaidFiles laid;
    for (const auto& [path, hash] : before) // by an earlier start in another language
        if (std::none_of(files.begin(), files.end(),
                         [&name = path](const WorkspaceFile& one) { return one.path == name; }))
            manifest += hash + " " + path + "\n";
    for (const WorkspaceFile& file : files) {
        const fs::path path = folder / file.path;
        bool readable = false;
        const std::string present = read_text(path, readable);
        const auto earlier = before.find(file.path);
        const bool untouched = earlier != before.end() && earlier->second == fingerprint(present);
        // What cannot be read but is there counts as edited too: better kept than lost.
        const bool edited =
            fs::exists(fs::symlink_status(path, failed)) && (!readable || (present != file.text && !untouched));
        if (edited) {
            laid.kept.push_back(file.path);
            if (earlier != before.end()) manifest += earlier->second + " " + file.path + "\n";
            continue;
        }
        if (!readable || present != file.text) {
            write_or_stop(path, file.text);
            ++laid.written;
        }
        manifest += fingerprint(file.text) + " " + file.path + "\n";
    }
    write_or_stop(folder / manifest_name, manifest);
    return laid;
}

std::string told(const LaidFiles& laid, const std::string& folder) {
    std::string text = laid.written > 0
                           ? fmt::format("{} laid in {}.\n", counted(laid.written, "file"), printable(folder))
                           : fmt::format("Nothing to lay: {} is complete.\n", printable(folder));
    if (laid.kept.empty()) return text;
    std::string kept;
    for (const std::string& file : laid.kept) kept += (kept.empty() ? "" : ", ") + file;
    return text + fmt::format("Kept as you edited it: {}.\n", kept);
}

} // namespace assay
