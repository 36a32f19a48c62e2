// Plays one hostile attempt: a judge of its own checks it as `assay check` does, and what it got and did is told.
#ifndef ASSAY_TESTS_HOSTILE_PLAY_HPP
#define ASSAY_TESTS_HOSTILE_PLAY_HPP

#include "hostile/ground.hpp"

#include <string>
#include <vector>

namespace assay::hostile {

struct Played {
    std::string verdict;   // of the record; "unusable"; "" where the judge gave none
    std::string isolation; // the level that the record names
    std::string reason;
    Effects effects;
    std::vector<std::string> faults; // sentences: what is other than the program's header says
    std::string record, report;      // as they were written
    double seconds = 0;
};

/// The layers to leave out (ASSAY_WITHOUT) so that a judge reaches this level and none above it.
std::string without_for(const std::string& level);

/// `program` (the bench's own, in whose mode "check" the judge runs) at `level`.
Played play(Ground& ground, const Program& program, const std::string& level);

struct Asked {
    std::filesystem::path source;
    std::string exercise, level; // of the exercise
};

/// One judge checks all of them in this order on several threads. Gives their verdicts ("unusable"; a sentence where
/// there is none); fewer where the judge did not come to its end.
std::vector<std::string> play_together(Ground& ground, const std::vector<Asked>& attempts, std::size_t threads,
                                       const std::string& level);

/// The level that a judge reaches here when it is told to reach at most `level`.
std::string reached(const std::string& level);

/// Those of `levels` that this machine reaches.
std::vector<std::string> levels_here();

/// False for one that would end its user's other processes where nothing holds it.
bool may_be_played(const Program& program, const std::string& level);

/// Prints the level that this process reaches; an exit code.
int tell_level();

} // namespace assay::hostile

#endif
