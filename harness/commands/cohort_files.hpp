// Reports of a whole grading, made from its records alone.
#ifndef ASSAY_COMMANDS_COHORT_FILES_HPP
#define ASSAY_COMMANDS_COHORT_FILES_HPP

#include "core/graded.hpp"
#include "grade/plan.hpp"
#include "report/style.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

/// Throws Stop (usage) for a format that nobody writes.
void require_known_formats(const std::vector<std::string>& formats);

/// The plan's units that have a record in `out`.
GradedCohort read_cohort(const std::filesystem::path& out, const Plan& plan);

/// Writes each format's files; gives their names, or their folder's. Throws Stop (environment) where one cannot be
/// written.
std::vector<std::string> write_cohort_files(const std::filesystem::path& out, const GradedCohort& cohort,
                                            const std::vector<std::string>& formats);

/// What grade prints at its end: the table, the counts, and where the reports lie.
std::string cohort_summary(const GradedCohort& cohort, const std::string& out, const std::vector<std::string>& written,
                           const Style& style);

} // namespace assay

#endif
