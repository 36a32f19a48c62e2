// A grading for GitHub Actions: annotations as workflow commands, and a job summary in Markdown.
#ifndef ASSAY_REPORT_GITHUB_HPP
#define ASSAY_REPORT_GITHUB_HPP

#include "report/cohort_file.hpp"

namespace assay {

/// github-annotations.txt, to be printed by a step, and github-summary.md, to be appended to $GITHUB_STEP_SUMMARY.
/// Whatever a candidate wrote stands in a command's message with its escapes, or between stop-commands, where it is not
/// read as one.
std::vector<ReportFile> github_files(const GradedCohort& cohort);

/// Escapes of a workflow command's message, and of its properties.
std::string github_message(std::string_view text);
std::string github_property(std::string_view text);

} // namespace assay

#endif
