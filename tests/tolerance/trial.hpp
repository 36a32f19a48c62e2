// Runs variants on data and says how much of the bound they use.
#ifndef ASSAY_TESTS_TOLERANCE_TRIAL_HPP
#define ASSAY_TESTS_TOLERANCE_TRIAL_HPP

#include "data.hpp"
#include "variants.hpp"

#include <vector>

namespace assay::tolerance {

/// The exercise's own oracle.
Truth truth_of(const Problem& problem);
inline Truth truth_of(const Data& data) { return truth_of(data.problem()); }

/// Largest |out - exact| / bound of one variant; infinite where the output is no number.
double share_of_bound(const Variant& variant, const Data& data, const std::vector<double>& value,
                      const std::vector<double>& bound);

/// Whether ASSAY_LONG asks for the whole of a test that has a shorter form.
bool long_mode();

} // namespace assay::tolerance

#endif
