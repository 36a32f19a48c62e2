// Your attempt at `grpo_hunt`. README.md beside this file says what is asked; contract.hpp has the exact signature.
//
// It compiles and runs, and gives zeros, which is wrong from level 1 on. `assay hunt grpo` lays a whole program in this
// file's place, with bugs in it. Any standard header is welcome.
#include "contract.hpp"

#include <cmath>

namespace grpo_hunt {

Var loss(tensor<const Var, 3> logits, tensor<const std::int64_t, 2> tokens, tensor<const bool, 2> mask,
         optional<tensor<const double, 2>> lp_old, optional<tensor<const double, 2>> lp_ref,
         tensor<const double, 1> rewards, loss_rule rule, tensor<double, 2> log_probs, tensor<double, 1> advantage,
         tensor<double, 2> terms) {
    Var total;
    for (std::int64_t n = 0; n < mask.extent(0); ++n) {
        advantage(n) = 0; // of sequence n among the answers to its prompt
        for (std::int64_t t = 0; t < mask.extent(1); ++t) {
            // logits(n, t - 1, v) is a Var: arithmetic on it, exp, log, min, max and clamp keep its gradient, and
            // .value() is the number itself.
            log_probs(n, t) = 0; // of tokens(n, t)
            terms(n, t) = 0;     // what the token adds to the objective, where mask(n, t) is true
        }
    }
    return -total;
}

} // namespace grpo_hunt
