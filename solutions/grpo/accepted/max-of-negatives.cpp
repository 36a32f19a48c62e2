// As trainers write it: a loss a token, max(-A r, -A clip(r)) + beta k3, in vectors of Var; k3 as q - log q - 1. The
// variance by Welford.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace grpo {

void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    const auto G = static_cast<std::ptrdiff_t>(rule.group_size);
    for (std::ptrdiff_t first = 0; first < rewards.extent(0); first += G) {
        std::vector<double> r;
        for (std::ptrdiff_t i = 0; i < G; ++i) r.push_back(rewards(first + i));
        double mean = 0, squares = 0, count = 0;
        for (const double one : r) {
            count += 1;
            const double before = one - mean;
            mean += before / count;
            squares += before * (one - mean);
        }
        const auto [least, most] = std::minmax_element(r.begin(), r.end());
        for (std::ptrdiff_t i = 0; i < G; ++i) {
            double value = r[static_cast<std::size_t>(i)] - mean;
            if (rule.scale) value /= std::sqrt(squares / (count - double(rule.ddof))) + rule.eps;
            advantage(first + i) = *least < *most ? value : 0.0;
        }
    }
}

Var loss(tensor<const Var, 2> lp_new, optional<tensor<const double, 2>> lp_old,
         optional<tensor<const double, 2>> lp_ref, tensor<const double, 1> advantage, tensor<const bool, 2> mask,
         loss_rule rule, tensor<double, 2> terms) {
    const auto limited = [&](const Var& x) { return clamp(x, -rule.log_ratio_limit, rule.log_ratio_limit); };
    std::vector<Var> all, means;
    for (std::ptrdiff_t n = 0; n < lp_new.extent(0); ++n) {
        std::vector<Var> own;
        for (std::ptrdiff_t t = 0; t < lp_new.extent(1); ++t) {
            terms(n, t) = 0;
            if (!mask(n, t)) continue;
            const Var lp = lp_new(n, t), old = lp_old ? Var((*lp_old)(n, t)) : lp.detach();
            const Var r = exp(limited(lp - old)), c = min(max(r, 1 - rule.clip_low), 1 + rule.clip_high);
            Var token = max(-advantage(n) * r, -advantage(n) * c);
            if (lp_ref && rule.beta != 0) {
                const Var q = exp(limited((*lp_ref)(n, t) - lp));
                token += rule.beta * (q - log(q) - 1);
            }
            terms(n, t) = -token.value();
            own.push_back(token);
            all.push_back(token);
        }
        const auto length = static_cast<double>(std::max<std::size_t>(own.size(), 1));
        means.push_back(sum(own.data(), static_cast<long>(own.size())) / length);
    }
    const auto N = static_cast<double>(lp_new.extent(0));
    if (rule.how == aggregation::sequence_mean) return sum(means.data(), static_cast<long>(means.size())) / N;
    const Var total = sum(all.data(), static_cast<long>(all.size()));
    if (rule.how == aggregation::constant) return total / double(rule.longest) / N;
    return total / std::max(1.0, static_cast<double>(all.size()));
}

} // namespace grpo
