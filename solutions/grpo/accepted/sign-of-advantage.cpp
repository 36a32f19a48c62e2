// The min taken by cases: where A > 0 only the upper end of the clip matters, where A < 0 only the lower one. Groups of
// equal rewards are skipped, and the variance is the mean of squares less the square of the mean, around the first
// reward.
#include "contract.hpp"

#include <cmath>

namespace {

using assay::Var;

Var policy_term(const Var& ratio, double A, const grpo::loss_rule& rule) {
    if (A > 0) return min(ratio, 1 + rule.clip_high) * A;
    if (A < 0) return max(ratio, 1 - rule.clip_low) * A;
    return 0;
}

} // namespace

namespace grpo {

void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    const long G = rule.group_size, groups = rewards.extent(0) / G;
    for (long g = 0; g < groups; ++g) {
        const double first = rewards(g * G);
        bool equal = true;
        double sum = 0, squares = 0;
        for (long i = 0; i < G; ++i) {
            const double d = rewards(g * G + i) - first;
            advantage(g * G + i) = 0;
            equal = equal && d == 0;
            sum += d;
            squares += d * d;
        }
        if (equal) continue;
        const double variance = (squares - sum * sum / double(G)) / double(G - rule.ddof);
        const double divisor = rule.scale ? std::sqrt(variance) + rule.eps : 1;
        for (long i = 0; i < G; ++i) advantage(g * G + i) = (rewards(g * G + i) - first - sum / double(G)) / divisor;
    }
}

Var loss(tensor<const Var, 2> lp_new, optional<tensor<const double, 2>> lp_old,
         optional<tensor<const double, 2>> lp_ref, tensor<const double, 1> advantage, tensor<const bool, 2> mask,
         loss_rule rule, tensor<double, 2> terms) {
    const long N = lp_new.extent(0), T = lp_new.extent(1);
    long tokens = 0;
    for (long n = 0; n < N; ++n)
        for (long t = 0; t < T; ++t) tokens += mask(n, t);
    Var result;
    for (long n = 0; n < N; ++n) {
        long length = 0;
        for (long t = 0; t < T; ++t) length += mask(n, t);
        const double weight = rule.how == aggregation::sequence_mean ? 1.0 / double(N * length)
                              : rule.how == aggregation::token_mean  ? 1.0 / double(tokens)
                                                                     : 1.0 / double(N * rule.longest);
        for (long t = T; t-- > 0;) {
            terms(n, t) = 0;
            if (!mask(n, t)) continue;
            const Var lp = lp_new(n, t);
            const Var d = lp - (lp_old ? (*lp_old)(n, t) : lp.value());
            Var term = policy_term(exp(clamp(d, -rule.log_ratio_limit, rule.log_ratio_limit)), advantage(n), rule);
            if (rule.beta > 0 && lp_ref) {
                const Var k = clamp((*lp_ref)(n, t) - lp, -rule.log_ratio_limit, rule.log_ratio_limit);
                term = term - (exp(k) - 1 - k) * rule.beta;
            }
            terms(n, t) = term.value();
            result -= weight * term;
        }
    }
    return result;
}

} // namespace grpo
