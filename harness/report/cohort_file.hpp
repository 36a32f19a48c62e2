// A report of a whole grading as files below the output folder.
#ifndef ASSAY_REPORT_COHORT_FILE_HPP
#define ASSAY_REPORT_COHORT_FILE_HPP

#include "core/graded.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct ReportFile {
    std::string path; // below the output folder
    std::string text;
};

/// Who reads it: a candidate is not shown what would give hidden inputs away.
enum class View { grader, candidate };

/// A level as one test of a test report.
struct LevelResult {
    const LevelRecord* level = nullptr;
    std::string name;    // "3. Masks"
    std::string message; // why it failed or was skipped, plain text; "" where it passed
};

/// In order; a record that no level tells of (nothing could be run) has one entry, without a level.
std::vector<LevelResult> level_results(const GradedCohort& cohort, const Record& record, View view);

/// The units of one candidate lie together: [first, last) for each.
std::vector<std::pair<std::size_t, std::size_t>> by_candidate(const GradedCohort& cohort);

/// A name that is a file name and different for different candidates.
std::string file_stem(const std::string& candidate);

} // namespace assay

#endif
