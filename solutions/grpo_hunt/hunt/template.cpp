// GRPO's loss of one batch, from the model's logits.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace grpo_hunt {

namespace {

/// What one call is about.
struct Batch {
    tensor<const Var, 3> logits;
    tensor<const std::int64_t, 2> tokens;
    tensor<const bool, 2> mask;
    optional<tensor<const double, 2>> lp_old, lp_ref;
    loss_rule rule;

    std::int64_t sequences() const { return mask.extent(0); }
    std::int64_t positions() const { return mask.extent(1); }
    bool has_kl() const { return lp_ref && rule.beta != 0; }
    /// Whether token t of sequence n is one to learn from.
    bool counts(std::int64_t n, std::int64_t t) const { return @{mask}; }
};

/// Log-probability of a token under the distribution that row `row` of sequence n holds.
Var log_prob(const Batch& batch, std::int64_t n, std::int64_t row, std::int64_t token) {
    const auto scaled = [&](std::int64_t id) { return @{temperature}; };
    double highest = @{highest};
    for (std::int64_t id = 0; id < batch.logits.extent(2); ++id) highest = std::max(highest, scaled(id).value());
    Var total;
    for (std::int64_t id = 0; id < batch.logits.extent(2); ++id) total += exp(scaled(id) - highest);
    return scaled(token) - highest - log(total);
}

/// How much better answer n is than the others to its prompt.
double advantage_of(tensor<const double, 1> rewards, const loss_rule& rule, std::int64_t n) {
    std::vector<double> group;
    @{group}
    @{flat}
    const auto size = static_cast<double>(group.size());
    double mean = 0, squares = 0;
    for (const double reward : group) mean += reward / size;
    for (const double reward : group) squares += (reward - mean) * (reward - mean);
    const double centred = @{baseline};
    @{scale}
    const double variance = squares / @{divisor};
    return centred / @{denominator};
}

/// How much likelier token t has become since it was sampled.
Var ratio_of(const Batch& batch, std::int64_t n, std::int64_t t, const Var& lp) {
    const auto sampled = @{sampled};
    const Var old = sampled ? Var((*sampled)(n, @{old-position})) : @{on-policy};
    const Var log_ratio = @{difference};
    return @{ratio};
}

Var clip(const Var& ratio, const loss_rule& rule) { return @{clip}; }

/// Estimate of the KL divergence from the reference at token t.
Var kl(const Batch& batch, std::int64_t n, std::int64_t t, const Var& lp) {
    @{kl}
}

/// What one sequence adds to the objective.
struct Share {
    Var sum;           // over its tokens
    double tokens = 0; // how many they are
};

Share share_of(const Batch& batch, std::int64_t n, double advantage, tensor<double, 2> log_probs,
               tensor<double, 2> terms) {
    const std::int64_t length = batch.positions();
    std::vector<Var> ratio(length), clipped(length), penalty(length); // 0 where nothing is set below
    Share share;
    log_probs(n, 0) = 0; // nothing predicts the first token
    for (std::int64_t t = 1; t < length; ++t) {
        const Var lp = log_prob(batch, n, @{row}, batch.tokens(n, @{token}));
        log_probs(n, t) = lp.value();
        @{surrogate}
        if (@{kl-mask}) penalty[t] = @{kl-weight} * kl(batch, n, t, lp);
        @{count}
    }
    terms(n, 0) = 0;
    @{objective}
    return share;
}

/// The objective of the batch.
Var aggregate(const std::vector<Share>& shares, const loss_rule& rule) {
    Var total;
    double tokens = 0;
    for (const Share& share : shares) {
        total += share.sum;
        tokens += share.tokens;
    }
    if (rule.how == aggregation::token_mean) return @{token-mean};
    if (rule.how == aggregation::constant)
        return total / @{constant};
    @{sequence-mean}
}

} // namespace

Var loss(tensor<const Var, 3> logits, tensor<const std::int64_t, 2> tokens, tensor<const bool, 2> mask,
         optional<tensor<const double, 2>> lp_old, optional<tensor<const double, 2>> lp_ref,
         tensor<const double, 1> rewards, loss_rule rule, tensor<double, 2> log_probs, tensor<double, 1> advantage,
         tensor<double, 2> terms) {
    const Batch batch{logits, tokens, mask, lp_old, lp_ref, rule};
    std::vector<Share> shares;
    for (std::int64_t n = 0; n < batch.sequences(); ++n) {
        advantage(n) = advantage_of(rewards, rule, n);
        shares.push_back(share_of(batch, n, @{advantage}, log_probs, terms));
    }
    return @{sign};
}

} // namespace grpo_hunt
