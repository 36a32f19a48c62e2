// How the cases of `p_yes` are made.
#ifndef ASSAY_P_YES_CASES_HPP
#define ASSAY_P_YES_CASES_HPP

#include "core/exercise.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace assay::p_yes_judge {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double unbounded = std::numeric_limits<double>::infinity();

enum Marks : std::int64_t { gpt2, sentencepiece }; // as in the contract

using Ids = std::vector<std::int64_t>;
using Numbers = std::vector<double>;
using Words = std::vector<std::string>; // UTF-8

/// Levels formula and extremes; the logits' dtype chooses the route.
Problem score_problem(Array logits, const Ids& yes, const Ids& no);
Problem checked_problem(const Numbers& logits, const Ids& yes, const Ids& no);
Problem tokens_problem(Marks marks, const Words& pieces, const std::string& yes, const std::string& no);

struct Example {
    double score; // or p
    bool label;
    double weight;
};
using Examples = std::vector<Example>;
Problem calibrate_problem(const Examples& examples);
Problem assess_problem(const Examples& examples, std::int64_t bins, double cost_false_yes, double cost_false_no);

std::vector<Case> formula_cases();
std::vector<Case> extremes_cases();
std::vector<Case> errors_cases();
std::vector<Case> tokens_cases();
std::vector<Case> calibration_cases();

/// The pieces of data/vocabulary/<name>.txt, a line each.
Words vocabulary(std::string_view name);

/// Over all routes and the whole domain, its edges and some invalid input included.
Problem random_problem(std::uint64_t seed);

inline Case fixed(std::string id, std::string why, Problem problem, std::string stays = "") {
    return {std::move(id), std::move(why), [problem = std::move(problem)](std::uint64_t) { return problem; },
            std::move(stays)};
}

} // namespace assay::p_yes_judge

#endif
