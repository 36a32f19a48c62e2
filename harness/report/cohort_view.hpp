// What a whole cohort's results say: for those who teach or hire.
#ifndef ASSAY_REPORT_COHORT_VIEW_HPP
#define ASSAY_REPORT_COHORT_VIEW_HPP

#include "report/cohort_file.hpp"

namespace assay {

/// cohort.md: by exercise the distribution of scores, the pass rate of each level, the most common mistakes; verdicts;
/// pairs that are nearly the same text; time spent.
std::vector<ReportFile> cohort_view_files(const GradedCohort& cohort);

} // namespace assay

#endif
