// The minimum taken apart into its cases, by the sign of the advantage and the side of the ratio; and probabilities
// where the ratio needs them, the limit put on by comparison.
#include "contract.hpp"

#include <algorithm>
#include <cmath>

namespace grpo_hunt {

namespace {

/// x within the limits as it is, else the limit as a constant.
Var held(const Var& x, double limit) { return x > limit ? Var(limit) : x < -limit ? Var(-limit) : x; }

Var surrogate(const Var& ratio, double a, const loss_rule& rule) {
    if (a > 0 && ratio > 1 + rule.clip_high) return (1 + rule.clip_high) * a;
    if (a < 0 && ratio < 1 - rule.clip_low) return (1 - rule.clip_low) * a;
    return ratio * a;
}

} // namespace

Var loss(tensor<const Var, 3> logits, tensor<const std::int64_t, 2> tokens, tensor<const bool, 2> mask,
         optional<tensor<const double, 2>> lp_old, optional<tensor<const double, 2>> lp_ref,
         tensor<const double, 1> rewards, loss_rule rule, tensor<double, 2> log_probs, tensor<double, 1> advantage,
         tensor<double, 2> terms) {
    const std::int64_t V = logits.extent(2), G = rule.group_size;
    Var objective;
    double counted = 0;
    for (std::int64_t n = 0; n < mask.extent(0); ++n) {
        const std::int64_t first = n / G * G;
        double mean = 0, squares = 0, low = rewards(n), high = low;
        for (std::int64_t i = first; i < first + G; ++i) {
            mean += rewards(i);
            low = std::min(low, rewards(i));
            high = std::max(high, rewards(i));
        }
        mean /= static_cast<double>(G);
        for (std::int64_t i = first; i < first + G; ++i) squares += std::pow(rewards(i) - mean, 2);
        double a = rewards(n) - mean;
        if (rule.scale) a /= std::sqrt(squares / static_cast<double>(G - rule.ddof)) + rule.eps;
        if (low == high) a = 0; // in place of whatever came out
        advantage(n) = a;

        Var sum;
        double own = 0;
        log_probs(n, 0) = terms(n, 0) = 0;
        for (std::int64_t t = 1; t < mask.extent(1); ++t) {
            // 1 / p = sum of exp(x_v - x_token): no maximum is needed where it is the token's own
            const Var& chosen = logits(n, t - 1, tokens(n, t));
            double top = chosen.value();
            for (std::int64_t v = 0; v < V; ++v) top = std::max(top, logits(n, t - 1, v).value());
            Var total;
            for (std::int64_t v = 0; v < V; ++v) total += exp((logits(n, t - 1, v) - top) / rule.temperature);
            const Var lp = -(log(total) + (top - chosen) / rule.temperature);
            log_probs(n, t) = lp.value();
            terms(n, t) = 0;
            if (!mask(n, t)) continue;
            const Var old = lp_old ? Var((*lp_old)(n, t)) : Var(lp.value());
            Var term = surrogate(1 / exp(held(old - lp, rule.log_ratio_limit)), a, rule);
            if (lp_ref && rule.beta != 0) {
                const Var d = held((*lp_ref)(n, t) - lp, rule.log_ratio_limit);
                term = term + rule.beta * (d + 1 - exp(d));
            }
            terms(n, t) = term.value();
            sum += term;
            ++own;
        }
        counted += own;
        objective += rule.how == aggregation::sequence_mean && own > 0 ? sum / own : sum;
    }
    const auto sequences = static_cast<double>(mask.extent(0));
    if (rule.how == aggregation::token_mean) return counted == 0 ? Var(0) : -(objective / counted);
    return -objective / (rule.how == aggregation::constant ? sequences * static_cast<double>(rule.longest) : sequences);
}

} // namespace grpo_hunt
