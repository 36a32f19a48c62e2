// The model answer to `grpo_hunt`: one pass over the tokens, whose objective is written as it stands in the statement.
#include "contract.hpp"

#include <algorithm>
#include <cmath>

namespace grpo_hunt {

namespace {

/// log softmax(logits / temperature) of one id at one row. The largest is taken off, as a plain number: it cancels.
Var log_softmax(tensor<const Var, 3> logits, std::int64_t n, std::int64_t row, std::int64_t id, double temperature) {
    const std::int64_t width = logits.extent(2);
    double top = logits(n, row, 0).value();
    for (std::int64_t v = 1; v < width; ++v) top = std::max(top, logits(n, row, v).value());
    Var total;
    for (std::int64_t v = 0; v < width; ++v) total += exp((logits(n, row, v) - top) / temperature);
    return (logits(n, row, id) - top) / temperature - log(total);
}

/// Advantages of the group that begins at `first`.
void fill_group(tensor<const double, 1> rewards, std::int64_t first, const loss_rule& rule,
                tensor<double, 1> advantage) {
    const std::int64_t end = first + rule.group_size;
    const auto size = static_cast<double>(rule.group_size);
    double low = rewards(first), high = low, mean = 0, squares = 0;
    for (std::int64_t n = first; n < end; ++n) {
        low = std::min(low, rewards(n));
        high = std::max(high, rewards(n));
        mean += rewards(n) / size;
    }
    for (std::int64_t n = first; n < end; ++n) squares += (rewards(n) - mean) * (rewards(n) - mean);
    const double deviation = std::sqrt(squares / (size - static_cast<double>(rule.ddof)));
    for (std::int64_t n = first; n < end; ++n) {
        const double centred = rewards(n) - mean;
        // Equal rewards say nothing, and their deviation is 0, or with ddof 1 and one answer 0 / 0.
        advantage(n) = low == high ? 0 : rule.scale ? centred / (deviation + rule.eps) : centred;
    }
}

} // namespace

Var loss(tensor<const Var, 3> logits, tensor<const std::int64_t, 2> tokens, tensor<const bool, 2> mask,
         optional<tensor<const double, 2>> lp_old, optional<tensor<const double, 2>> lp_ref,
         tensor<const double, 1> rewards, loss_rule rule, tensor<double, 2> log_probs, tensor<double, 1> advantage,
         tensor<double, 2> terms) {
    const std::int64_t sequences = mask.extent(0), length = mask.extent(1);
    for (std::int64_t first = 0; first < sequences; first += rule.group_size)
        fill_group(rewards, first, rule, advantage);

    const auto limited = [&](const Var& x) { return clamp(x, -rule.log_ratio_limit, rule.log_ratio_limit); };
    const bool has_kl = lp_ref && rule.beta != 0;
    Var of_sequences, of_tokens; // sum of the sequences' means, and of all tokens
    double counted = 0;
    for (std::int64_t n = 0; n < sequences; ++n) {
        Var sum;
        double kept = 0;
        for (std::int64_t t = 0; t < length; ++t) {
            log_probs(n, t) = terms(n, t) = 0;
            if (t == 0) continue; // nothing predicts the first token
            const Var lp = log_softmax(logits, n, t - 1, tokens(n, t), rule.temperature);
            log_probs(n, t) = lp.value();
            if (!mask(n, t)) continue; // selected, not multiplied: what lies there may be NaN
            const Var old = lp_old ? Var((*lp_old)(n, t)) : lp.detach();
            const Var ratio = exp(limited(lp - old));
            Var term = min(ratio * advantage(n), clamp(ratio, 1 - rule.clip_low, 1 + rule.clip_high) * advantage(n));
            if (has_kl) {
                const Var d = limited((*lp_ref)(n, t) - lp);
                term -= rule.beta * (exp(d) - d - 1);
            }
            terms(n, t) = term.value();
            sum += term;
            kept += 1;
        }
        of_tokens += sum;
        counted += kept;
        if (kept > 0) of_sequences += sum / kept;
    }
    if (rule.how == aggregation::sequence_mean) return -of_sequences / static_cast<double>(sequences);
    if (rule.how == aggregation::token_mean) return -of_tokens / std::max(counted, 1.0);
    return -of_tokens / (static_cast<double>(sequences) * static_cast<double>(rule.longest));
}

} // namespace grpo_hunt
