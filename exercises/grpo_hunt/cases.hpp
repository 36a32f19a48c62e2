// How the cases of `grpo_hunt` are made: random logits and tokens, then log-probs of other policies at stated
// distances.
#ifndef ASSAY_GRPO_HUNT_CASES_HPP
#define ASSAY_GRPO_HUNT_CASES_HPP

#include "core/exercise.hpp"
#include "core/random.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace assay::grpo_hunt_judge {

struct Shape {
    std::int64_t N, T, V, group_size;
};

/// A problem in the making. Logits are multiples of 1/8 in [-3, 3], tokens any, every token but the first counts,
/// lp_old and lp_ref are absent, rewards 0.5, 2, 4.5, ... in the first group and less steep in the next ones, ddof 0,
/// eps 0.1, temperature 1, clip 0.2 on both sides, limit 10, beta 0, sequence mean.
struct Draft {
    Draft(const Shape& shape, std::uint64_t seed, std::string_view id);

    Shape shape;
    Random random;
    Array logits, tokens, mask;
    Value lp_old, lp_ref;
    Array rewards;
    std::int64_t ddof = 0;
    double eps = 0.1;
    bool scale = true;
    double temperature = 1, clip_low = 0.2, clip_high = 0.2, limit = 10, beta = 0;
    std::int64_t how = 0, longest;

    /// Completions of these lengths after prompts of `prompt` tokens; the rest is padding.
    void set_lengths(const std::vector<std::int64_t>& lengths, std::int64_t prompt);
    void set_rewards(const std::vector<double>& values);
    /// lp_old so that the ratios of each sequence's tokens, from t = 1 on, are these, over and over. Where the mask is
    /// false too. Temperature and logits must stand.
    void set_ratios(const std::vector<double>& ratios);
    /// lp_ref so that lp_ref - lp_new are these.
    void set_ref(const std::vector<double>& differences);
    /// NaN where the mask is false.
    static void spoil(Value& log_probs, const Array& mask);

    Problem problem(std::string_view route) const;

  private:
    double log_prob(std::int64_t n, std::int64_t t) const;
    Array apart(const std::vector<double>& differences) const;
};

using Change = std::function<void(Draft&)>;
Case make_case(std::string route, std::string id, std::string why, const Shape& shape, Change change,
               std::string stays = "");

std::vector<Case> log_prob_cases();
std::vector<Case> advantage_cases();
std::vector<Case> ratio_cases();
std::vector<Case> masking_cases();
std::vector<Case> kl_cases();
std::vector<Case> gradient_cases();

/// A small random valid problem of any route.
Problem random_problem(std::uint64_t seed);

} // namespace assay::grpo_hunt_judge

#endif
