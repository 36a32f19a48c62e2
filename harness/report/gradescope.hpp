// A grading as Gradescope's results.json, one a candidate.
#ifndef ASSAY_REPORT_GRADESCOPE_HPP
#define ASSAY_REPORT_GRADESCOPE_HPP

#include "report/cohort_file.hpp"

namespace assay {

/// gradescope/<candidate>.json. A test a level with its points; bonus levels carry tags and are part of the score that
/// Gradescope shows. Where seeds are hidden, so are the tests ("visibility": "hidden"); the score stays to be seen.
std::vector<ReportFile> gradescope_files(const GradedCohort& cohort);

} // namespace assay

#endif
