// What the wrong answers here share: every stage of the loss, right, as a method that one of them gets wrong. Stages
// are run over the whole batch one after the other, as array code does.
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace grpo_hunt {

using Index = std::int64_t;
using Matrix = std::vector<std::vector<Var>>; // (N)(T)

struct Stages {
    tensor<const Var, 3> logits;
    tensor<const std::int64_t, 2> tokens;
    tensor<const bool, 2> mask;
    optional<tensor<const double, 2>> lp_old, lp_ref;
    tensor<const double, 1> rewards;
    loss_rule rule;
    Index N = 0, T = 0, V = 0;

    virtual ~Stages() = default;

    // Log-probs: the logit of v that bears on token t, and which v token t is.
    virtual Var logit(Index n, Index t, Index v) const { return logits(n, t - 1, v) / rule.temperature; }
    virtual Index target(Index n, Index t) const { return tokens(n, t); }
    virtual double lowest_top() const { return -HUGE_VAL; }
    Var log_prob(Index n, Index t) const {
        double top = lowest_top();
        for (Index v = 0; v < V; ++v) top = std::max(top, logit(n, t, v).value());
        Var sum;
        for (Index v = 0; v < V; ++v) sum += exp(logit(n, t, v) - top);
        return logit(n, t, target(n, t)) - (top + log(sum));
    }

    // Advantages: the rewards that n is held against, and what becomes of them.
    virtual std::vector<double> group_of(Index n) const {
        std::vector<double> group;
        const Index first = n / rule.group_size * rule.group_size;
        for (Index i = first; i < first + rule.group_size; ++i) group.push_back(rewards(i));
        return group;
    }
    virtual bool is_flat(const std::vector<double>& group) const {
        return *std::min_element(group.begin(), group.end()) == *std::max_element(group.begin(), group.end());
    }
    virtual double baseline(const std::vector<double>& group, double) const { return sum_of(group) / size_of(group); }
    virtual double divisor(const std::vector<double>& group) const {
        return size_of(group) - static_cast<double>(rule.ddof);
    }
    virtual double scaled(double centred, double variance) const {
        return rule.scale ? centred / (std::sqrt(variance) + rule.eps) : centred;
    }
    double advantage_of(Index n) const {
        const std::vector<double> group = group_of(n);
        if (is_flat(group)) return 0;
        const double mean = sum_of(group) / size_of(group);
        double squares = 0;
        for (const double reward : group) squares += (reward - mean) * (reward - mean);
        return scaled(rewards(n) - baseline(group, rewards(n)), squares / divisor(group));
    }

    // One token.
    Var limited(const Var& x) const { return clamp(x, -rule.log_ratio_limit, rule.log_ratio_limit); }
    virtual Var old(Index n, Index t, const Var& lp) const { return lp_old ? Var((*lp_old)(n, t)) : lp.detach(); }
    virtual Var ratio(const Var& difference) const { return exp(limited(difference)); }
    virtual Var clip(const Var& r) const { return clamp(r, 1 - rule.clip_low, 1 + rule.clip_high); }
    virtual Var surrogate(const Var& r, const Var& clipped, double a) const { return min(r * a, clipped * a); }
    virtual Var k(const Var& d) const { return exp(limited(d)) - limited(d) - 1; }
    virtual Var kl(Index n, Index t, const Var& lp) const { return k((*lp_ref)(n, t) - lp); }
    virtual double weight() const { return rule.beta; }

    // The mask.
    virtual bool counts(Index n, Index t) const { return mask(n, t); }
    virtual Var selected(Index n, Index t, const Var& x) const { return counts(n, t) ? x : Var(); }
    virtual Var selected_kl(Index n, Index t, const Var& x) const { return counts(n, t) ? x : Var(); }
    virtual double length(Index n) const {
        double count = 0;
        for (Index t = 1; t < T; ++t) count += counts(n, t) ? 1 : 0;
        return count;
    }

    // Over tokens and sequences.
    virtual Index place(Index n) const { return n; } // of the advantage of n
    virtual Var sequence(const Matrix& r, const Matrix& clipped, const Matrix& penalty, Index n, double a) const {
        Var sum;
        for (Index t = 1; t < T; ++t) sum += selected(n, t, surrogate(r[n][t], clipped[n][t], a)) - penalty[n][t];
        return sum;
    }
    virtual Var sequence_mean(const std::vector<Var>& sums) const {
        Var mean;
        for (Index n = 0; n < N; ++n)
            if (length(n) > 0) mean += sums[n] / length(n);
        return mean / static_cast<double>(N);
    }
    virtual Var token_mean(const Var& total, double count) const { return count > 0 ? total / count : Var(); }
    virtual Var constant(const Var& total, double) const {
        return total / (static_cast<double>(N) * static_cast<double>(rule.longest));
    }
    virtual Var loss_of(const Var& objective) const { return -objective; }

    Var run(tensor<double, 2> log_probs, tensor<double, 1> advantage, tensor<double, 2> terms) const {
        Matrix r(N, std::vector<Var>(T)), clipped = r, penalty = r;
        for (Index n = 0; n < N; ++n) advantage(n) = advantage_of(n);
        for (Index n = 0; n < N; ++n) {
            log_probs(n, 0) = terms(n, 0) = 0;
            const double a = advantage(place(n));
            for (Index t = 1; t < T; ++t) {
                const Var lp = log_prob(n, t);
                log_probs(n, t) = lp.value();
                r[n][t] = ratio(lp - old(n, t, lp));
                clipped[n][t] = clip(r[n][t]);
                if (lp_ref && rule.beta != 0) penalty[n][t] = selected_kl(n, t, weight() * kl(n, t, lp));
                const Var term = selected(n, t, surrogate(r[n][t], clipped[n][t], a)) - penalty[n][t];
                terms(n, t) = term.value();
            }
        }
        std::vector<Var> sums(N);
        Var total;
        double count = 0;
        for (Index n = 0; n < N; ++n) {
            total += sums[n] = sequence(r, clipped, penalty, n, advantage(place(n)));
            count += length(n);
        }
        return loss_of(rule.how == aggregation::sequence_mean ? sequence_mean(sums)
                       : rule.how == aggregation::token_mean  ? token_mean(total, count)
                                                              : constant(total, count));
    }

    static double size_of(const std::vector<double>& group) { return static_cast<double>(group.size()); }
    static double sum_of(const std::vector<double>& group) {
        double sum = 0;
        for (const double reward : group) sum += reward;
        return sum;
    }
};

} // namespace grpo_hunt

/// Defines the contract's function by a struct that derives from Stages.
#define LOSS_BY(Mistaken)                                                                                              \
    namespace grpo_hunt {                                                                                              \
    Var loss(tensor<const Var, 3> logits, tensor<const std::int64_t, 2> tokens, tensor<const bool, 2> mask,            \
             optional<tensor<const double, 2>> lp_old, optional<tensor<const double, 2>> lp_ref,                       \
             tensor<const double, 1> rewards, loss_rule rule, tensor<double, 2> log_probs,                             \
             tensor<double, 1> advantage, tensor<double, 2> terms) {                                                   \
        Mistaken stages;                                                                                               \
        stages.logits = logits;                                                                                        \
        stages.tokens = tokens;                                                                                        \
        stages.mask = mask;                                                                                            \
        stages.lp_old = lp_old;                                                                                        \
        stages.lp_ref = lp_ref;                                                                                        \
        stages.rewards = rewards;                                                                                      \
        stages.rule = rule;                                                                                            \
        stages.N = mask.extent(0);                                                                                     \
        stages.T = mask.extent(1);                                                                                     \
        stages.V = logits.extent(2);                                                                                   \
        return stages.run(log_probs, advantage, terms);                                                                \
    }                                                                                                                  \
    } // namespace grpo_hunt
