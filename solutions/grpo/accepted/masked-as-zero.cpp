// Branch-free over the tokens: masked positions are replaced by ratio 1 and difference 0 before anything is computed,
// and weighted by 0 afterwards. Numbers are finite by then, so that the product is 0.
#include "contract.hpp"

#include <algorithm>
#include <cmath>

namespace grpo {

void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    for (long n = 0; n < rewards.extent(0); ++n) {
        const long first = n / rule.group_size * rule.group_size, end = first + rule.group_size;
        double low = rewards(n), high = rewards(n);
        for (long i = first; i < end; ++i) {
            low = std::min(low, rewards(i));
            high = std::max(high, rewards(i));
        }
        if (low == high) {
            advantage(n) = 0;
            continue;
        }
        double mean = low, squares = 0; // measured from the lowest
        for (long i = first; i < end; ++i) mean += (rewards(i) - low) / double(rule.group_size);
        for (long i = first; i < end; ++i) squares = std::hypot(squares, rewards(i) - mean);
        const double deviation = squares / std::sqrt(double(rule.group_size - rule.ddof));
        advantage(n) = (rewards(n) - mean) / (rule.scale ? deviation + rule.eps : 1);
    }
}

Var loss(tensor<const Var, 2> lp_new, optional<tensor<const double, 2>> lp_old,
         optional<tensor<const double, 2>> lp_ref, tensor<const double, 1> advantage, tensor<const bool, 2> mask,
         loss_rule rule, tensor<double, 2> terms) {
    const double beta = lp_ref ? rule.beta : 0, limit = rule.log_ratio_limit;
    Var numerator;
    double denominator = 0;
    for (long n = 0; n < lp_new.extent(0); ++n) {
        Var row;
        double count = 0;
        for (long t = 0; t < lp_new.extent(1); ++t) {
            const bool on = mask(n, t);
            const Var lp = on ? lp_new(n, t) : Var(0);
            const Var old = on && lp_old ? Var((*lp_old)(n, t)) : lp.detach();
            const Var ref = on && beta != 0 ? Var((*lp_ref)(n, t)) : lp;
            const Var r = exp(clamp(lp - old, -limit, limit)), d = clamp(ref - lp, -limit, limit);
            const Var c = r < 1 - rule.clip_low ? 1 - rule.clip_low : r > 1 + rule.clip_high ? 1 + rule.clip_high : r;
            const Var smaller = r * advantage(n) <= c * advantage(n) ? r * advantage(n) : c * advantage(n);
            const Var term = on * (smaller - beta * (exp(d) - d - 1));
            terms(n, t) = term.value();
            row += term;
            count += on;
        }
        switch (rule.how) {
        case aggregation::sequence_mean:
            numerator += row / std::max(count, 1.0);
            denominator += 1;
            break;
        case aggregation::token_mean:
            numerator += row;
            denominator += count;
            break;
        case aggregation::constant: numerator += row; denominator += double(rule.longest);
        }
    }
    return -numerator / (denominator > 0 ? denominator : 1);
}

} // namespace grpo
