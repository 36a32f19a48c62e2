// GRPO in float64: advantages, the objective of every token, its aggregate, and the gradient by hand, each with the
// bound that a careful float64 implementation stays below. It knows nothing of problems and mistakes, so that another
// exercise may build on it.
#ifndef ASSAY_GRPO_ORACLE_CORE_HPP
#define ASSAY_GRPO_ORACLE_CORE_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::grpo_judge {

/// As in the contract.
struct GroupRule {
    std::int64_t group_size = 1, ddof = 0;
    double eps = 0;
    bool scale = true;
};

enum class Aggregation : std::int64_t { sequence_mean, token_mean, constant };

struct LossRule {
    double clip_low = 0.2, clip_high = 0.2, log_ratio_limit = 20, beta = 0;
    Aggregation how = Aggregation::sequence_mean;
    std::int64_t longest = 1;
};

/// Row-major (N, T). lp_old and lp_ref are empty where they are absent.
struct Tokens {
    std::size_t N = 0, T = 0;
    std::vector<double> lp_new, lp_old, lp_ref;
    std::vector<double> advantage; // (N)
    std::vector<char> mask;        // 0: not a token of the completion

    double A(std::size_t token) const { return advantage[token / T]; }
    /// The log-probability that the ratio's denominator has: lp_new's own where lp_old is absent.
    double old(std::size_t token) const { return lp_old.empty() ? lp_new[token] : lp_old[token]; }
    bool has_kl(const LossRule& rule) const { return !lp_ref.empty() && rule.beta != 0; }
};

/// Row-major, and how far each element may be off.
struct Bounded {
    std::vector<double> value, bound;

    explicit Bounded(std::size_t size = 0) : value(size), bound(size) {}
};

Bounded advantages(const std::vector<double>& rewards, const GroupRule& rule);

/// What one token brings, and d objective / d lp_new.
struct Objective {
    long double policy = 0, kl = 0; // min(r A, clip(r) A); k3
    long double value = 0, slope = 0;
    long double value_error = 0, slope_error = 0;
};
Objective objective(double lp_new, double lp_old, const double* lp_ref, double advantage, const LossRule& rule);

/// What each token counts in the aggregate: 0 where it is masked.
std::vector<long double> weights(const Tokens& tokens, const LossRule& rule);

struct LossAnswer {
    Bounded terms, gradient; // (N, T); of the loss with respect to lp_new
    double loss = 0, loss_bound = 0;
};
LossAnswer loss(const Tokens& tokens, const LossRule& rule);

/// The least distance of a counted token from where the loss has a kink: of its ratio from the ends of the clip
/// interval, of a log-ratio from +-log_ratio_limit.
double distance_from_edges(const Tokens& tokens, const LossRule& rule);

} // namespace assay::grpo_judge

#endif
