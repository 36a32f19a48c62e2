// lp_old read where it is absent: a null view.
// Expect: log-probs, advantages, ratio
#include "contract.hpp"

namespace grpo_hunt {

Var loss(tensor<const Var, 3>, tensor<const std::int64_t, 2>, tensor<const bool, 2> mask,
         optional<tensor<const double, 2>> lp_old, optional<tensor<const double, 2>>, tensor<const double, 1>,
         loss_rule, tensor<double, 2> log_probs, tensor<double, 1> advantage, tensor<double, 2> terms) {
    for (std::int64_t n = 0; n < mask.extent(0); ++n) {
        advantage(n) = 0;
        for (std::int64_t t = 0; t < mask.extent(1); ++t) log_probs(n, t) = terms(n, t) = (*lp_old)(n, t);
    }
    return 0;
}

} // namespace grpo_hunt
