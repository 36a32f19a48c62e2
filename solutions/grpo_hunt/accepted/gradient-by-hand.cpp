// The derivative written down: each logit enters the loss as slope * (logit - its own value), on top of a loss computed
// in plain numbers. Value and gradient are those of the loss.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace grpo_hunt {

Var loss(tensor<const Var, 3> logits, tensor<const std::int64_t, 2> tokens, tensor<const bool, 2> mask,
         optional<tensor<const double, 2>> lp_old, optional<tensor<const double, 2>> lp_ref,
         tensor<const double, 1> rewards, loss_rule rule, tensor<double, 2> log_probs, tensor<double, 1> advantage,
         tensor<double, 2> terms) {
    const std::int64_t N = mask.extent(0), T = mask.extent(1), V = logits.extent(2), G = rule.group_size;
    for (std::int64_t g = 0; g < N / G; ++g) {
        double mean = 0, variance = 0;
        bool flat = true;
        for (std::int64_t i = 0; i < G; ++i) { // Welford
            const double r = rewards(g * G + i), before = r - mean;
            mean += before / static_cast<double>(i + 1);
            variance += before * (r - mean);
            flat = flat && r == rewards(g * G);
        }
        variance /= static_cast<double>(std::max<std::int64_t>(G - rule.ddof, 1));
        for (std::int64_t i = 0; i < G; ++i)
            advantage(g * G + i) =
                flat ? 0 : (rewards(g * G + i) - mean) / (rule.scale ? std::sqrt(variance) + rule.eps : 1);
    }
    double all = 0;
    for (std::int64_t n = 0; n < N; ++n)
        for (std::int64_t t = 1; t < T; ++t) all += mask(n, t) ? 1 : 0;

    Var result;
    for (std::int64_t n = 0; n < N; ++n) {
        double own = 0;
        for (std::int64_t t = 1; t < T; ++t) own += mask(n, t) ? 1 : 0;
        log_probs(n, 0) = terms(n, 0) = 0;
        for (std::int64_t t = 1; t < T; ++t) {
            std::vector<double> p(V);
            double top = -HUGE_VAL, total = 0;
            for (std::int64_t v = 0; v < V; ++v) top = std::max(top, logits(n, t - 1, v).value());
            for (std::int64_t v = 0; v < V; ++v)
                total += p[v] = std::exp((logits(n, t - 1, v).value() - top) / rule.temperature);
            const double lp = (logits(n, t - 1, tokens(n, t)).value() - top) / rule.temperature - std::log(total);
            log_probs(n, t) = lp;
            terms(n, t) = 0;
            if (!mask(n, t)) continue;

            const double a = advantage(n), limit = rule.log_ratio_limit;
            const double off = lp_old ? lp - (*lp_old)(n, t) : 0, ratio = std::exp(std::clamp(off, -limit, limit));
            const double edge = a > 0 ? std::min(ratio, 1 + rule.clip_high) : std::max(ratio, 1 - rule.clip_low);
            double term = edge * a, slope = edge == ratio && std::fabs(off) < limit ? ratio * a : 0;
            if (lp_ref && rule.beta != 0) {
                const double apart = (*lp_ref)(n, t) - lp, d = std::clamp(apart, -limit, limit);
                term -= rule.beta * (std::expm1(d) - d);
                if (d == apart) slope += rule.beta * std::expm1(d);
            }
            terms(n, t) = term;
            const double weight = rule.how == aggregation::sequence_mean ? static_cast<double>(N) * own
                                  : rule.how == aggregation::token_mean
                                      ? all
                                      : static_cast<double>(N) * static_cast<double>(rule.longest);
            result -= term / weight;
            for (std::int64_t v = 0; v < V; ++v) {
                const Var& logit = logits(n, t - 1, v);
                const double by = ((v == tokens(n, t) ? 1.0 : 0.0) - p[v] / total) / rule.temperature;
                result -= slope * by / weight * (logit - logit.value());
            }
        }
    }
    return result;
}

} // namespace grpo_hunt
