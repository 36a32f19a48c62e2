// The right half of the wrong attempts at the loss: each step is a function of its own, so that one of them can be
// wrong.
#ifndef GRPO_STEPS_HPP
#define GRPO_STEPS_HPP

#include "contract.hpp"

namespace grpo {

using Index = std::ptrdiff_t;

struct Steps {
    tensor<const Var, 2> lp_new;
    optional<tensor<const double, 2>> lp_old, lp_ref;
    tensor<const double, 1> advantage;
    tensor<const bool, 2> mask;
    loss_rule rule;

    Steps(tensor<const Var, 2> new_, optional<tensor<const double, 2>> old_, optional<tensor<const double, 2>> ref_,
          tensor<const double, 1> advantage_, tensor<const bool, 2> mask_, loss_rule rule_)
        : lp_new(new_), lp_old(old_), lp_ref(ref_), advantage(advantage_), mask(mask_), rule(rule_) {}
    virtual ~Steps() = default;

    Index N() const { return lp_new.extent(0); }
    Index T() const { return lp_new.extent(1); }
    Var limited(const Var& x) const { return clamp(x, -rule.log_ratio_limit, rule.log_ratio_limit); }

    virtual bool counts(Index n, Index t) const { return mask(n, t); }
    virtual Var old(Index n, Index t) const { return lp_old ? Var((*lp_old)(n, t)) : lp_new(n, t).detach(); }
    virtual Var ratio(Index n, Index t) const { return exp(limited(lp_new(n, t) - old(n, t))); }
    virtual Var clipped(const Var& ratio) const { return clamp(ratio, 1 - rule.clip_low, 1 + rule.clip_high); }
    virtual Var policy(Index n, Index t) const {
        const Var r = ratio(n, t), A = advantage(n);
        return min(r * A, clipped(r) * A);
    }

    virtual bool has_kl() const { return lp_ref && rule.beta != 0; }
    virtual Var k(const Var& d) const { return exp(d) - d - 1; }
    virtual Var kl(Index n, Index t) const { return rule.beta * k(limited((*lp_ref)(n, t) - lp_new(n, t))); }

    virtual Var term(Index n, Index t) const { return has_kl() ? policy(n, t) - kl(n, t) : policy(n, t); }
    virtual Var inside(Index n, Index t) const { return counts(n, t) ? term(n, t) : Var(0); }
    virtual double length(Index n) const {
        double count = 0;
        for (Index t = 0; t < T(); ++t) count += counts(n, t) ? 1 : 0;
        return count;
    }
    virtual Var sum(Index n) const {
        Var total;
        for (Index t = 0; t < T(); ++t) total += inside(n, t);
        return total;
    }

    virtual Var mean(const Var& total, double count) const { return count > 0 ? total / count : Var(0); }
    virtual Var sequence_mean() const {
        Var total;
        for (Index n = 0; n < N(); ++n) total += mean(sum(n), length(n));
        return total / double(N());
    }
    virtual Var token_mean() const {
        Var total;
        double count = 0;
        for (Index n = 0; n < N(); ++n) {
            total += sum(n);
            count += length(n);
        }
        return mean(total, count);
    }
    virtual Var constant() const {
        Var total;
        for (Index n = 0; n < N(); ++n) total += sum(n);
        return total / (double(N()) * double(rule.longest));
    }
    virtual Var aggregate() const {
        return rule.how == aggregation::sequence_mean ? sequence_mean()
               : rule.how == aggregation::token_mean  ? token_mean()
                                                      : constant();
    }
    virtual Var minus(const Var& objective) const { return -objective; }

    Var loss(tensor<double, 2> terms) const {
        for (Index n = 0; n < N(); ++n)
            for (Index t = 0; t < T(); ++t) terms(n, t) = inside(n, t).value();
        return minus(aggregate());
    }
};

} // namespace grpo

/// The contract's function, by these steps.
#define GRPO_LOSS_BY(steps)                                                                                            \
    namespace grpo {                                                                                                   \
    Var loss(tensor<const Var, 2> lp_new, optional<tensor<const double, 2>> lp_old,                                    \
             optional<tensor<const double, 2>> lp_ref, tensor<const double, 1> advantage, tensor<const bool, 2> mask,  \
             loss_rule rule, tensor<double, 2> terms) {                                                                \
        return steps(lp_new, lp_old, lp_ref, advantage, mask, rule).loss(terms);                                       \
    }                                                                                                                  \
    }

#endif
