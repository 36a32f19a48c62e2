// assay grade: grades every submission below a folder; resumes where it was stopped.
#ifndef ASSAY_COMMANDS_GRADE_HPP
#define ASSAY_COMMANDS_GRADE_HPP

#include "commands/stop.hpp"
#include "report/style.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct GradeArguments {
    std::string submissions;
    std::string out = "results";
    int jobs = 0; // 0 = one a processor
    bool resume = false;
    std::vector<std::string> exercises; // empty = all
    std::vector<std::string> formats{"jsonl", "csv", "markdown", "cohort"};
    std::uint64_t seed = 0;
    std::string seed_file;
    std::string compiler;
    bool require_pass = false;
    std::string isolation; // the level that is required; "" = none
    ColorMode color = ColorMode::automatic;
};

Exit grade_command(const GradeArguments& arguments);

/// assay grade-unit: what grade starts once a unit. Writes one record.
struct GradeUnitArguments {
    std::string record, exercise, source;
    std::uint64_t seed = 0;
    std::string compiler;
    ColorMode color = ColorMode::never;
};

Exit grade_unit_command(const GradeUnitArguments& arguments);

} // namespace assay

#endif
