// A grading as Exercism's results.json, version 3, one a unit.
#ifndef ASSAY_REPORT_EXERCISM_HPP
#define ASSAY_REPORT_EXERCISM_HPP

#include "report/cohort_file.hpp"

namespace assay {

/// exercism/<candidate>/<exercise>.json. Status "error" with a message where nothing could be run; else a test a level.
/// Left out are skipped ones, since that format knows none, and bonus levels that fail, since there one failing test
/// fails the whole.
std::vector<ReportFile> exercism_files(const GradedCohort& cohort);

} // namespace assay

#endif
