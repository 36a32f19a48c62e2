// A grading as tables: terminal, Markdown, CSV, and a line of JSON a unit.
#ifndef ASSAY_REPORT_COHORT_TABLE_HPP
#define ASSAY_REPORT_COHORT_TABLE_HPP

#include "core/graded.hpp"
#include "report/style.hpp"

#include <string>

namespace assay {

/// A row a unit: candidate, exercise, verdict, points, and the first thing that is wrong. Long ones are cut to
/// `most_rows`, the worst first, with a count of what is left out.
std::string cohort_terminal(const GradedCohort& cohort, const Style& style, std::size_t most_rows = 40);

/// The same rows, all of them, as a Markdown table (text of candidates escaped).
std::string cohort_markdown(const GradedCohort& cohort);

/// candidate,exercise,verdict,score,max_score,bonus,max_bonus,first_failing_level,mistake,reason (RFC 4180; a field
/// that a spreadsheet would take for a formula is led by an apostrophe).
std::string cohort_csv(const GradedCohort& cohort);

/// One compact JSON object a line: the CSV's fields and the levels' verdicts.
std::string cohort_json_lines(const GradedCohort& cohort);

/// Foreign text in a Markdown table: one line, nothing in it read as Markdown or HTML.
std::string markdown_cell(const std::string& text);

/// The first thing that is wrong in one sentence: the first diagnosis, else the first finding, else the reason; "" for
/// AC.
std::string first_fault(const Record& record);

} // namespace assay

#endif
