// A grading as JUnit XML, in the form that Jenkins' schema (junit-10.xsd) and those who follow it read.
#ifndef ASSAY_REPORT_JUNIT_HPP
#define ASSAY_REPORT_JUNIT_HPP

#include "report/cohort_file.hpp"

namespace assay {

/// junit.xml: a suite a unit, a test case a level. WA and the limits are failures, our own faults errors, SKIP skipped;
/// a bonus level that fails is skipped too, since it never decides.
std::vector<ReportFile> junit_files(const GradedCohort& cohort);

} // namespace assay

#endif
