// Reads lp_old where there is none.
// Level: ratio
#include "contract.hpp"

namespace grpo {

Var loss(tensor<const Var, 2> lp_new, optional<tensor<const double, 2>> lp_old, optional<tensor<const double, 2>>,
         tensor<const double, 1> advantage, tensor<const bool, 2>, loss_rule rule, tensor<double, 2> terms) {
    Var total;
    for (long n = 0; n < lp_new.extent(0); ++n)
        for (long t = 0; t < lp_new.extent(1); ++t) {
            const Var ratio = exp(lp_new(n, t) - (*lp_old)(n, t)), A = advantage(n);
            const Var term = min(ratio * A, clamp(ratio, 1 - rule.clip_low, 1 + rule.clip_high) * A);
            terms(n, t) = term.value();
            total += term;
        }
    return -total / double(lp_new.size());
}

} // namespace grpo
