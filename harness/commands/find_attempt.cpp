#include "commands/find_attempt.hpp"

#include "catalogue/files.hpp"
#include "commands/stop.hpp"
#include "core/registry.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <system_error>
#include <vector>

namespace fs = std::filesystem;

namespace assay {

namespace {

std::vector<std::string> all_ids() {
    std::vector<std::string> ids;
    for (const std::string_view id : exercise_ids()) ids.emplace_back(id);
    return ids;
}

bool is_exercise(const std::string& id) {
    const std::vector<std::string> ids = all_ids();
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

bool is_there(const fs::path& path) {
    std::error_code failed;
    return fs::exists(path, failed);
}

bool is_folder(const fs::path& path) {
    std::error_code failed;
    return fs::is_directory(path, failed);
}

constexpr std::array<const char*, 3> extensions{".cpp", ".py", ".cu"};

/// Files named after this exercise that lie in `folder`.
std::vector<fs::path> attempts_at(const std::string& id, const fs::path& folder) {
    std::vector<fs::path> found;
    for (const char* extension : extensions)
        if (const fs::path file = folder / (id + extension); is_there(file)) found.push_back(file);
    return found;
}

/// Files named after an exercise that lie in `folder`.
std::vector<fs::path> attempts_in(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const std::string& id : all_ids())
        for (const fs::path& file : attempts_at(id, folder)) found.push_back(file);
    return found;
}

/// "./x/sdpa.cpp" rather than an absolute path, where it lies below `here`.
std::string shown(const fs::path& path, const fs::path& here) {
    const fs::path relative = path.lexically_relative(here);
    return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

/// The ids whose namespace or contract `text` names.
std::vector<std::string> named_in(const std::string& text) {
    std::vector<std::string> found;
    for (const std::string& id : all_ids())
        for (const std::string& sign : {"namespace " + id, id + "::", id + "/contract.hpp", id + "/contract.cuh"}) {
            const std::size_t at = text.find(sign);
            if (at == std::string::npos) continue;
            const std::size_t after = at + sign.size();
            const bool ends = after >= text.size() || sign.back() == ':' ||
                              (text[after] != '_' && isalnum(static_cast<unsigned char>(text[after])) == 0);
            if (ends && (at == 0 || text[at - 1] != '_')) {
                found.push_back(id);
                break;
            }
        }
    return found;
}

std::string exercise_of(const fs::path& source, const std::string& target) {
    if (is_exercise(source.stem().string())) return source.stem().string();
    bool ok = false;
    const std::string text = read_text(source, ok, 1 << 20);
    std::vector<std::string> named = named_in(text);
    for (const char* contract : {"contract.hpp", "contract.cuh"})
        if (named.size() != 1) named = named_in(read_text(source.parent_path() / contract, ok, 1 << 20));
    if (named.size() == 1) return named.front();
    for (fs::path folder = source.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
        if (is_exercise(folder.filename().string())) return folder.filename().string();
    throw Stop(Exit::usage,
               fmt::format("cannot tell which exercise {} attempts: name it, as in assay check {} --exercise {}",
                           target, shell_word(target), all_ids().empty() ? "ID" : all_ids().front()));
}

FoundAttempt from_file(const std::string& argument, const std::string& exercise, const fs::path& here) {
    const fs::path source = fs::absolute(here / argument);
    if (!exercise.empty()) return {exercise, source, fmt::format("{} --exercise {}", shell_word(argument), exercise)};
    return {exercise_of(source, argument), source, shell_word(argument)};
}

FoundAttempt only_one_in(const fs::path& folder, const fs::path& here, const std::string& nothing) {
    const std::vector<fs::path> found = attempts_in(folder);
    if (found.size() == 1) {
        const std::string target = shown(found.front(), here);
        return {found.front().stem().string(), found.front(), shell_word(target)};
    }
    if (found.empty()) throw Stop(Exit::usage, nothing);
    std::string list;
    for (const fs::path& file : found) list += (list.empty() ? "" : ", ") + file.filename().string();
    throw Stop(Exit::usage, fmt::format("several attempts lie in this folder: say which to check ({})", list));
}

FoundAttempt from_id(const std::string& id, const fs::path& here, const State& state) {
    std::vector<fs::path> places{here, here / id};
    if (const std::string& workspace = state.of(id).workspace; !workspace.empty()) places.emplace_back(workspace);
    for (const fs::path& place : places) {
        const std::vector<fs::path> found = attempts_at(id, place);
        if (found.size() == 1) return {id, found.front(), id};
        if (found.size() > 1)
            throw Stop(Exit::usage,
                       fmt::format("{} and {} both lie in {}: name the file that is meant, as in assay check {}",
                                   found.front().filename().string(), found.back().filename().string(),
                                   printable(shown(place, here)), shell_word(shown(found.back(), here))));
    }
    throw Stop(
        Exit::usage,
        fmt::format("no attempt at {0} here: there is no {0}.cpp, {0}.py or {0}.cu in this folder, in ./{0} or in "
                    "a started workspace; begin one with: assay start {0}",
                    id));
}

} // namespace

void require_exercise(const std::string& id) {
    if (is_exercise(id)) return;
    const std::string near = nearest(id, all_ids());
    throw Stop(Exit::usage, fmt::format("no such exercise: {} ({})", printable(id),
                                        near.empty() ? "assay list shows them" : "did you mean " + near + "?"));
}

FoundAttempt find_attempt(const std::string& argument, const std::string& exercise, const fs::path& here,
                          const State& state) {
    if (!exercise.empty()) require_exercise(exercise);
    if (argument.empty()) {
        if (!exercise.empty()) return from_id(exercise, here, state);
        return only_one_in(
            here, here,
            "no attempt lies in this folder: name an exercise or a file, as in assay check sdpa (assay list "
            "shows the exercises, assay start lays a workspace)");
    }
    if (is_exercise(argument) && (exercise.empty() || exercise == argument)) return from_id(argument, here, state);
    const fs::path path = here / argument;
    if (is_folder(path))
        return only_one_in(
            path, here,
            fmt::format("{0} is a folder without an attempt in it: name the file, as in assay check {0}/sdpa.cpp",
                        printable(argument)));
    const bool like_a_file = argument.find_first_of("/.") != std::string::npos;
    if (is_there(path)) return from_file(argument, exercise, here);
    if (like_a_file) throw Stop(Exit::usage, fmt::format("no such file: {}", printable(argument)));
    require_exercise(argument);
    throw Stop(Exit::usage,
               fmt::format("{} is an exercise, but --exercise says {}: leave one of them out", argument, exercise));
}

std::string current_exercise(const std::string& argument, const fs::path& here, const State& state) {
    if (!argument.empty()) {
        if (const fs::path path = here / argument; !is_exercise(argument) && is_there(path) && !is_folder(path))
            return exercise_of(fs::absolute(path), argument);
        require_exercise(argument);
        return argument;
    }
    std::vector<std::string> found;
    for (const fs::path& file : attempts_in(here))
        if (found.empty() || found.back() != file.stem().string()) found.push_back(file.stem().string());
    if (found.size() == 1) return found.front();
    if (is_exercise(state.latest)) return state.latest;
    throw Stop(Exit::usage, "say which exercise you mean; assay list shows them");
}

} // namespace assay
