// What Assay remembers of one person's practice: best result, failing level, hints seen, workspace.
#ifndef ASSAY_CATALOGUE_STATE_HPP
#define ASSAY_CATALOGUE_STATE_HPP

#include "core/record.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace assay {

struct Progress {
    std::optional<Verdict> best;  // AC once passed, else of the check with the most points
    int score = 0, max_score = 0; // of that check
    int bonus = 0, max_bonus = 0;
    std::optional<Verdict> last;      // of the latest whole check
    std::string failing_level;        // id of the first failing level of the latest check; "" = none
    std::map<std::string, int> hints; // shown so far, by level id
    std::string workspace;            // folder that `start` laid
    bool solution_revealed = false;   // before it was passed
};

struct State {
    std::map<std::string, Progress> exercises;
    std::string latest; // exercise worked on last

    const Progress& of(const std::string& exercise) const; // an empty one where nothing is known
};

/// Reads the file. A missing one is an empty state; a damaged one is renamed to "<file>.damaged", and `note` says so.
State read_state(const std::filesystem::path& file, std::string& note);

/// Reads, lets `change` change it, writes by rename; under a lock, so that two Assays at once lose nothing. Gives a
/// note where something went wrong (a state that cannot be kept never stops a command), else "".
std::string change_state(const std::filesystem::path& file, const std::function<void(State&)>& change);

/// Takes the result of a check into its exercise's progress. Partial checks move the failing level alone.
void remember(State& state, const Record& record);

/// state_folder()/progress.json
std::filesystem::path state_file();

} // namespace assay

#endif
