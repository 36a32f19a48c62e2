// How the cases of `grpo` are made: rewards as they stand, or a batch of random tokens and then what the case is about.
#ifndef ASSAY_GRPO_CASES_HPP
#define ASSAY_GRPO_CASES_HPP

#include "core/exercise.hpp"
#include "core/random.hpp"
#include "oracle_core.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace assay::grpo_judge {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double unbounded = std::numeric_limits<double>::infinity();

using Numbers = std::vector<double>;

Problem advantages_problem(const char* route, const Numbers& rewards, const GroupRule& rule);

/// A batch in the making. It begins with log-probabilities and advantages that are multiples of 1/64, log-ratios of
/// size 0.3, a reference at a distance of 0.5 that `with_reference` adds, every position a token, and clip widths of
/// 0.2.
struct Draft {
    Draft(std::string_view id, std::uint64_t seed, std::size_t N, std::size_t T);

    Random random;
    Tokens in;
    LossRule rule;
    std::string route = "loss";

    std::size_t at(std::size_t n, std::size_t t) const { return n * in.T + t; }
    void with_reference(double beta);
    /// Sequence n has its first lengths[n] positions as tokens.
    void lengths(const std::vector<std::size_t>& lengths);
    /// What lies under the mask, in all three tensors that are there.
    void poison(double value);
    /// lp_new at this log-ratio above lp_old.
    void log_ratio(std::size_t n, std::size_t t, double d);
    /// Moves tokens that lie near an edge a little away from it.
    void settle();
    Problem problem() const;
};

using Change = std::function<void(Draft&)>;

/// `route`: the level, or "groups" and "loss" of level degenerate.
Case loss_case(const char* route, std::string id, std::string why, std::size_t N, std::size_t T, Change change,
               std::string stays = "");
Case advantages_case(const char* route, std::string id, std::string why, const Numbers& rewards, const GroupRule& rule,
                     std::string stays = "");

std::vector<Case> advantages_cases();
std::vector<Case> ratio_cases();
std::vector<Case> masks_cases();
std::vector<Case> kl_cases();
std::vector<Case> degenerate_cases();
std::vector<Case> gradient_cases();

/// A random valid problem over all routes and the whole domain.
Problem random_problem(std::uint64_t seed);

} // namespace assay::grpo_judge

#endif
