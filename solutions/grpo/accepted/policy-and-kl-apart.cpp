// Two losses, the policy's and the KL's, each aggregated by the same rule and added up at the end. The clip is written
// as min and max, the ratio with powers of 2. Statistics in long double.
#include "contract.hpp"

#include <cmath>

namespace {

using assay::tensor;
using assay::Var;

/// The aggregate of f(n, t) over the tokens.
template <class F> Var aggregated(tensor<const bool, 2> mask, const grpo::loss_rule& rule, F f) {
    Var of_means, of_all;
    double all = 0;
    for (long n = 0; n < mask.extent(0); ++n) {
        Var own;
        double length = 0;
        for (long t = 0; t < mask.extent(1); ++t)
            if (mask(n, t)) {
                own += f(n, t);
                length += 1;
            }
        of_all += own;
        all += length;
        if (length != 0) of_means += own * (1 / length);
    }
    const double N = double(mask.extent(0));
    if (rule.how == grpo::aggregation::sequence_mean) return of_means / N;
    if (rule.how == grpo::aggregation::constant) return of_all / (N * double(rule.longest));
    return all == 0 ? Var() : of_all / all;
}

/// 2^(x log2 e), as GPUs compute it.
Var exp_by_two(const Var& x) {
    const double value = std::exp2(x.value() * 1.4426950408889634074);
    return value * (1 + x - x.detach());
}

} // namespace

namespace grpo {

void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    for (long first = 0; first < rewards.extent(0); first += rule.group_size) {
        long double mean = 0, squares = 0;
        double largest = rewards(first), smallest = rewards(first);
        for (long i = 0; i < rule.group_size; ++i) {
            mean += (long double)rewards(first + i) / (long double)rule.group_size;
            largest = std::fmax(largest, rewards(first + i));
            smallest = std::fmin(smallest, rewards(first + i));
        }
        for (long i = 0; i < rule.group_size; ++i) squares += std::pow(rewards(first + i) - mean, 2);
        const long double std_ = std::sqrt(squares / (long double)(rule.group_size - rule.ddof)) + rule.eps;
        for (long i = 0; i < rule.group_size; ++i)
            advantage(first + i) = largest == smallest ? 0
                                   : rule.scale        ? double((rewards(first + i) - mean) / std_)
                                                       : double(rewards(first + i) - mean);
    }
}

Var loss(tensor<const Var, 2> lp_new, optional<tensor<const double, 2>> lp_old,
         optional<tensor<const double, 2>> lp_ref, tensor<const double, 1> advantage, tensor<const bool, 2> mask,
         loss_rule rule, tensor<double, 2> terms) {
    const double limit = rule.log_ratio_limit;
    const auto policy = [&](long n, long t) {
        const Var& lp = lp_new(n, t);
        const Var r = exp_by_two(clamp(lp - (lp_old ? Var((*lp_old)(n, t)) : lp.detach()), -limit, limit));
        return min(r * advantage(n), max(1 - rule.clip_low, min(1 + rule.clip_high, r)) * advantage(n));
    };
    const bool has_kl = lp_ref && rule.beta != 0;
    const auto kl = [&](long n, long t) {
        const Var d = clamp((*lp_ref)(n, t) - lp_new(n, t), -limit, limit);
        return exp_by_two(d) - (d + 1);
    };
    for (long n = 0; n < mask.extent(0); ++n)
        for (long t = 0; t < mask.extent(1); ++t) {
            terms(n, t) = 0;
            if (mask(n, t)) terms(n, t) = policy(n, t).value() - (has_kl ? rule.beta * kl(n, t).value() : 0);
        }
    const Var objective = aggregated(mask, rule, policy);
    return has_kl ? rule.beta * aggregated(mask, rule, kl) - objective : -objective;
}

} // namespace grpo
