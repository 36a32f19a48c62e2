// GRPO's advantages and loss. The loss is written once, in Var: its gradient follows.
#include "contract.hpp"

#include <algorithm>
#include <cmath>

namespace {

using assay::Var;
using Index = std::ptrdiff_t;

/// k3 (Schulman): unbiased for KL(new || ref) under samples of the new policy, and never negative.
Var k3(const Var& lp_new, double lp_ref, double limit) {
    const Var d = clamp(lp_ref - lp_new, -limit, limit);
    return exp(d) - d - 1;
}

} // namespace

namespace grpo {

void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    const Index G = rule.group_size;
    for (Index first = 0; first < rewards.extent(0); first += G) {
        double sum = 0, squares = 0, least = rewards(first), most = rewards(first);
        for (Index n = first; n < first + G; ++n) {
            sum += rewards(n);
            least = std::min(least, rewards(n));
            most = std::max(most, rewards(n));
        }
        const double mean = sum / static_cast<double>(G);
        for (Index n = first; n < first + G; ++n) squares += (rewards(n) - mean) * (rewards(n) - mean);
        const double deviation = std::sqrt(squares / static_cast<double>(G - rule.ddof));
        for (Index n = first; n < first + G; ++n) {
            const double d = rewards(n) - mean;
            // Compared, not computed: the mean of three times 0.1 is not 0.1.
            advantage(n) = least == most ? 0 : rule.scale ? d / (deviation + rule.eps) : d;
        }
    }
}

Var loss(tensor<const Var, 2> lp_new, optional<tensor<const double, 2>> lp_old,
         optional<tensor<const double, 2>> lp_ref, tensor<const double, 1> advantage, tensor<const bool, 2> mask,
         loss_rule rule, tensor<double, 2> terms) {
    const Index N = lp_new.extent(0), T = lp_new.extent(1);
    const double limit = rule.log_ratio_limit;
    Var of_sequences, of_tokens; // sum of sequence means; sum of terms
    double tokens = 0;
    for (Index n = 0; n < N; ++n) {
        Var sum;
        double length = 0;
        for (Index t = 0; t < T; ++t) {
            terms(n, t) = 0;
            if (!mask(n, t)) continue; // a masked number may be NaN: it is not touched
            const Var& lp = lp_new(n, t);
            const Var old = lp_old ? Var((*lp_old)(n, t)) : lp.detach();
            const Var ratio = exp(clamp(lp - old, -limit, limit)), A = advantage(n);
            Var term = min(ratio * A, clamp(ratio, 1 - rule.clip_low, 1 + rule.clip_high) * A);
            if (lp_ref && rule.beta != 0) term -= rule.beta * k3(lp, (*lp_ref)(n, t), limit);
            terms(n, t) = term.value();
            sum += term;
            length += 1;
        }
        if (length > 0) of_sequences += sum / length;
        of_tokens += sum;
        tokens += length;
    }
    const auto sequences = static_cast<double>(N);
    switch (rule.how) {
    case aggregation::sequence_mean: return -of_sequences / sequences;
    case aggregation::token_mean: return tokens > 0 ? -of_tokens / tokens : Var(0);
    default: return -of_tokens / (sequences * static_cast<double>(rule.longest));
    }
}

} // namespace grpo
