// Losses from the start, as PPO code has it: max(-A ratio, -A clipped) + beta KL, and the log-softmax as a function of
// Vars through and through, its maximum too.
#include "contract.hpp"

#include <cmath>
#include <vector>

namespace grpo_hunt {

namespace {

std::vector<Var> log_softmax(const std::vector<Var>& x) {
    Var top = x[0];
    for (const Var& one : x) top = max(top, one);
    std::vector<Var> weights;
    for (const Var& one : x) weights.push_back(exp(one - top));
    const Var log_sum = top + log(sum(weights.data(), static_cast<long>(weights.size())));
    std::vector<Var> result;
    for (const Var& one : x) result.push_back(one - log_sum);
    return result;
}

double z_score(tensor<const double, 1> rewards, std::int64_t n, const loss_rule& rule) {
    const std::int64_t first = n - n % rule.group_size;
    double sum = 0, squares = 0;
    bool differ = false;
    for (std::int64_t i = 0; i < rule.group_size; ++i) { // less the first reward, so that one pass is exact enough
        const double r = rewards(first + i) - rewards(first);
        sum += r;
        squares += r * r;
        differ = differ || r != 0;
    }
    if (!differ) return 0;
    const auto size = static_cast<double>(rule.group_size);
    const double mean = sum / size, centred = rewards(n) - rewards(first) - mean;
    if (!rule.scale) return centred;
    return centred / (std::sqrt((squares - mean * sum) / (size - static_cast<double>(rule.ddof))) + rule.eps);
}

} // namespace

Var loss(tensor<const Var, 3> logits, tensor<const std::int64_t, 2> tokens, tensor<const bool, 2> mask,
         optional<tensor<const double, 2>> lp_old, optional<tensor<const double, 2>> lp_ref,
         tensor<const double, 1> rewards, loss_rule rule, tensor<double, 2> log_probs, tensor<double, 1> advantage,
         tensor<double, 2> terms) {
    const std::int64_t N = mask.extent(0), T = mask.extent(1), V = logits.extent(2);
    std::vector<Var> losses, weighted;
    std::vector<double> counts(N, 0);
    double all = 0;
    for (std::int64_t n = 0; n < N; ++n) {
        advantage(n) = z_score(rewards, n, rule);
        for (std::int64_t t = 1; t < T; ++t) counts[n] += mask(n, t) ? 1 : 0;
        all += counts[n];
    }
    const double sequences = static_cast<double>(N);
    for (std::int64_t n = 0; n < N; ++n) {
        log_probs(n, 0) = terms(n, 0) = 0;
        for (std::int64_t t = 1; t < T; ++t) {
            std::vector<Var> row;
            for (std::int64_t v = 0; v < V; ++v) row.push_back(logits(n, t - 1, v) / rule.temperature);
            const Var lp = log_softmax(row)[static_cast<std::size_t>(tokens(n, t))];
            log_probs(n, t) = lp.value();
            terms(n, t) = 0;
            if (!mask(n, t)) continue;
            const Var off = lp_old ? lp - (*lp_old)(n, t) : lp - lp.detach();
            const Var r = exp(clamp(off, -rule.log_ratio_limit, rule.log_ratio_limit));
            const double a = advantage(n);
            Var one = max(-a * r, -a * max(min(r, 1 + rule.clip_high), 1 - rule.clip_low));
            if (lp_ref && rule.beta > 0) {
                const Var d = clamp(lp - (*lp_ref)(n, t), -rule.log_ratio_limit, rule.log_ratio_limit);
                one += rule.beta * (exp(-d) + d - 1);
            }
            terms(n, t) = -one.value();
            const double divisor = rule.how == aggregation::sequence_mean ? counts[n] * sequences
                                   : rule.how == aggregation::token_mean
                                       ? all
                                       : sequences * static_cast<double>(rule.longest);
            weighted.push_back(one / divisor);
        }
    }
    return sum(weighted.data(), static_cast<long>(weighted.size()));
}

} // namespace grpo_hunt
