// What every engine of a grading is given, and what it gives back.
#ifndef ASSAY_GRADE_ENGINE_HPP
#define ASSAY_GRADE_ENGINE_HPP

#include "core/record.hpp"
#include "grade/plan.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace assay {

struct GradeProgress {
    std::size_t done = 0, all = 0; // units; those that were complete before count as done
    std::size_t before = 0;        // of them, complete before this run
    int running = 0;
};

struct EngineOptions {
    std::filesystem::path out;
    int stop = -1;                                      // a descriptor: once it is readable, the engine stops
    std::function<void(const GradeProgress&)> progress; // may be empty
    /// A record that says why there is none of the attempt's own: the verdict and one sentence.
    std::function<Record(const Unit& unit, Verdict verdict, const std::string& reason)> blank;
};

struct GradeResult {
    bool stopped = false;
    std::size_t graded = 0, kept = 0;  // in this run; complete before
    std::vector<std::string> failures; // units without a record at the end: a sentence each
};

/// Writes the record that `options.blank` makes. Gives the reason where it could not be written, with the unit's name,
/// else "".
std::string write_blank(const EngineOptions& options, const Unit& unit, Verdict verdict, const std::string& reason);

/// What is said of a unit whose sources changed between the plan and the check.
std::string changed_meanwhile(const Unit& unit);

} // namespace assay

#endif
