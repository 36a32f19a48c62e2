// The truth of `attention_scaling`, the error bound of every item, and each named mistake as a switch.
#ifndef ASSAY_ATTENTION_SCALING_ORACLE_HPP
#define ASSAY_ATTENTION_SCALING_ORACLE_HPP

#include "core/exercise.hpp"

#include <vector>

namespace assay::attention_scaling_judge {

/// The exercise's oracle, with any number of mistakes at once.
Truths oracle(const Problem& problem, const Slips& on);

/// Every mistake that the oracle can make.
std::vector<Mistake> mistakes();

/// Fields that are there and fit each other, and sizes that a judge can afford. Invalid input is a valid question.
bool valid(const Problem& problem);

/// softmax(x) with all that is asked of it, each with its error bound. Extended precision, rounded once.
struct Weights {
    std::vector<double> p, p_bound;               // (n)
    std::vector<double> jacobian, jacobian_bound; // (n, n)
    double norm = 0, norm_bound = 0;
    double entropy = 0, entropy_bound = 0;
};

/// `logit_roundings`: how many relative roundings of 2^-53 each x_i has behind it already.
Weights softmax(const std::vector<long double>& x, double logit_roundings, const Slips& on);

/// The answers to those two routes.
Truths softmax_level(const Problem& problem, const Slips& on);
Truths saturation_level(const Problem& problem, const Slips& on);

/// Unit roundoff of float64.
inline constexpr double unit = 0x1p-53;

} // namespace assay::attention_scaling_judge

#endif
