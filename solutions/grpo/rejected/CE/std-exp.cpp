// std::exp of a Var: it would have to be a double, which has no gradient.
#include "contract.hpp"

#include <cmath>

namespace grpo {

Var loss(tensor<const Var, 2> lp_new, optional<tensor<const double, 2>> lp_old, optional<tensor<const double, 2>>,
         tensor<const double, 1> advantage, tensor<const bool, 2>, loss_rule rule, tensor<double, 2> terms) {
    Var total;
    for (long n = 0; n < lp_new.extent(0); ++n)
        for (long t = 0; t < lp_new.extent(1); ++t) {
            const Var old = lp_old ? Var((*lp_old)(n, t)) : lp_new(n, t).detach();
            const Var ratio = std::exp(lp_new(n, t) - old);
            const Var term =
                min(ratio * advantage(n), clamp(ratio, 1 - rule.clip_low, 1 + rule.clip_high) * advantage(n));
            terms(n, t) = term.value();
            total += term;
        }
    return -total / double(lp_new.size());
}

} // namespace grpo
