// The float64 truth of `roofline`, with any number of its named mistakes switched on.
#ifndef ASSAY_ROOFLINE_ORACLE_HPP
#define ASSAY_ROOFLINE_ORACLE_HPP

#include "core/exercise.hpp"

#include <vector>

namespace assay::roofline_judge {

std::vector<Mistake> mistakes();

Truths oracle(const Problem& problem, const Slips& on);

/// Whether the problem may be asked: every field present, no count above 2^40, and no answer that rounding decides (a
/// tie, a crossover next to a whole number, a denominator next to 0). Invalid input may be asked.
bool valid(const Problem& problem);

} // namespace assay::roofline_judge

#endif
