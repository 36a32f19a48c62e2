// How a unit is run, whatever engine asks for it: a process of its own, a second try where no record came of it.
#ifndef ASSAY_GRADE_UNIT_RUNS_HPP
#define ASSAY_GRADE_UNIT_RUNS_HPP

#include "core/record.hpp"
#include "grade/plan.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace assay {

struct UnitRunOptions {
    int jobs = 1;
    std::filesystem::path out;
    std::vector<std::string> program; // command that grades one unit, without the unit's own arguments
    std::chrono::seconds wall_limit{600};
    int stop = -1;             // as in PoolOptions
    bool keep_results = false; // a unit that has its result when its turn comes is not run: others may be at it too
};

/// Why a unit has no result.
struct UnitFault {
    bool changed = false; // its sources are no longer the planned ones
    std::string reason;   // else: one sentence
};

struct UnitRunEvents { // any but `failed` and `graded` may be empty
    std::function<void(std::size_t number)> begun;
    std::function<void(std::size_t number, const Record& record, double seconds)> graded;
    std::function<void(std::size_t number, const UnitFault& fault, double seconds)> failed;
    std::function<void(int running)> tick;
};

/// Runs these units of the plan (positions in it); each ends in `graded` or `failed` once. False where it was stopped.
bool run_units(const Plan& plan, const std::vector<std::size_t>& numbers, const UnitRunOptions& options,
               const UnitRunEvents& events);

/// This process's environment, "NAME=value".
std::vector<std::string> whole_environment();

/// The last line of an output that says something, printable, cut; "" where there is none.
std::string last_line(const std::string& output);

} // namespace assay

#endif
