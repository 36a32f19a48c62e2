// A problem in a few lines that a person can copy into a test by hand.
#ifndef ASSAY_JUDGE_PRINT_HPP
#define ASSAY_JUDGE_PRINT_HPP

#include "core/exercise.hpp"
#include "core/problem.hpp"

#include <string>
#include <vector>

namespace assay {

/// A line a field, at most about 110 characters: "q (1, 1, 1, 3) float32 = 1 0 2", "causal = true", "mask = none". A
/// tensor that is not contiguous shows its strides; of one that the attempt only writes (a writable parameter of the
/// function named by the route) nothing else is shown, and nothing at all where it is contiguous.
std::vector<std::string> input_lines(const Exercise& exercise, const Problem& problem);

/// "Lq = 1, Lk = 2": every named dimension, in the order in which the fields name them.
std::string dimensions_of(const Problem& problem);

} // namespace assay

#endif
