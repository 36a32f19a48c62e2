// No automatic differentiation of the loss: its value and slope are computed in double, and handed over as a constant
// plus slope * (lp - detached lp), which is 0 and has that gradient.
#include "contract.hpp"

#include <cmath>

namespace grpo {

void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    const long G = rule.group_size;
    for (long n = 0; n < rewards.extent(0); ++n) {
        // Differences of pairs: reward - mean = sum of (r - r') / G, variance = sum over pairs of (r' - r'')^2 / G.
        double distance = 0, pairs = 0;
        for (long i = n - n % G; i < n - n % G + G; ++i) {
            distance += rewards(n) - rewards(i);
            for (long j = n - n % G; j < i; ++j) pairs += (rewards(i) - rewards(j)) * (rewards(i) - rewards(j));
        }
        const double d = distance / double(G);
        if (pairs == 0)
            advantage(n) = 0;
        else
            advantage(n) = rule.scale ? d / (std::sqrt(pairs / double(G * (G - rule.ddof))) + rule.eps) : d;
    }
}

Var loss(tensor<const Var, 2> lp_new, optional<tensor<const double, 2>> lp_old,
         optional<tensor<const double, 2>> lp_ref, tensor<const double, 1> advantage, tensor<const bool, 2> mask,
         loss_rule rule, tensor<double, 2> terms) {
    const double limit = rule.log_ratio_limit;
    const auto inside = [&](double d) { return d >= -limit && d <= limit; };
    const auto moved = [&](double d) { return std::fmax(-limit, std::fmin(d, limit)); };
    double tokens = 0;
    for (long n = 0; n < lp_new.extent(0); ++n)
        for (long t = 0; t < lp_new.extent(1); ++t) tokens += mask(n, t) ? 1 : 0;
    double value = 0;
    Var gradient;
    for (long n = 0; n < lp_new.extent(0); ++n) {
        double length = 0;
        for (long t = 0; t < lp_new.extent(1); ++t) length += mask(n, t) ? 1 : 0;
        const double N = double(lp_new.extent(0)), A = advantage(n);
        const double divisor = rule.how == aggregation::sequence_mean ? length * N
                               : rule.how == aggregation::token_mean  ? tokens
                                                                      : N * double(rule.longest);
        for (long t = 0; t < lp_new.extent(1); ++t) {
            terms(n, t) = 0;
            if (!mask(n, t)) continue;
            const double lp = lp_new(n, t).value(), d = lp - (lp_old ? (*lp_old)(n, t) : lp);
            const double r = std::exp(moved(d));
            const bool clipped = A > 0 ? r > 1 + rule.clip_high : r < 1 - rule.clip_low;
            const double bound = A > 0 ? 1 + rule.clip_high : 1 - rule.clip_low;
            double term = A * (clipped ? bound : r), slope = clipped || !inside(d) ? 0 : A * r;
            if (lp_ref && rule.beta != 0) {
                const double k = (*lp_ref)(n, t) - lp;
                term -= rule.beta * (std::expm1(moved(k)) - moved(k));
                if (inside(k)) slope += rule.beta * std::expm1(k);
            }
            terms(n, t) = term;
            value -= term / divisor;
            gradient -= slope / divisor * (lp_new(n, t) - lp_new(n, t).detach());
        }
    }
    return value + gradient;
}

} // namespace grpo
