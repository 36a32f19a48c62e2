// How the cases of `attention_scaling` are made.
#ifndef ASSAY_ATTENTION_SCALING_CASES_HPP
#define ASSAY_ATTENTION_SCALING_CASES_HPP

#include "core/exercise.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace assay::attention_scaling_judge {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

enum Law : std::int64_t { gaussian, signs, uniform }; // as in the contract

Problem moments_problem(std::int64_t d, double sigma_q, double sigma_k);
Problem correlation_problem(std::int64_t d, double sigma_q, double sigma_k, double rho, Law law);
Problem softmax_problem(const std::vector<double>& logits);
Problem saturation_problem(std::int64_t d, std::int64_t keys);
Problem aligned_problem(std::int64_t d, double sigma_q, double sigma_k, double rho);

std::vector<Case> moments_cases();
std::vector<Case> correlation_cases();
std::vector<Case> softmax_cases();
std::vector<Case> saturation_cases();
std::vector<Case> aligned_cases();

/// Over all routes and the whole domain, its edges and some invalid input included.
Problem random_problem(std::uint64_t seed);

} // namespace assay::attention_scaling_judge

#endif
