// From what a person typed after `assay check` to an exercise and a source file.
#ifndef ASSAY_COMMANDS_FIND_ATTEMPT_HPP
#define ASSAY_COMMANDS_FIND_ATTEMPT_HPP

#include "catalogue/state.hpp"

#include <filesystem>
#include <string>

namespace assay {

struct FoundAttempt {
    std::string exercise;
    std::filesystem::path source;
    std::string target; // what to type after "assay check" to get it again
};

/// `argument` is an exercise's id, a file, a folder with one attempt in it, or "" for the only attempt in `here`;
/// `exercise` ("" = deduce it) is the exercise that a file attempts. An id stands for <id>.cpp, <id>.py
/// or <id>.cu in this folder, in ./<id> or in the workspace of `state`. Throws Stop (usage).
FoundAttempt find_attempt(const std::string& argument, const std::string& exercise, const std::filesystem::path& here,
                          const State& state);

/// Throws Stop with "no such exercise: X (did you mean ...?)" unless `id` is registered.
void require_exercise(const std::string& id);

/// The exercise that a command without an argument means: the only attempt in this folder, else the one worked on last.
std::string current_exercise(const std::string& argument, const std::filesystem::path& here, const State& state);

} // namespace assay

#endif
