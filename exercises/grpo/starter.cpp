// Your attempt at `grpo`. README.md beside this file says what is asked; contract.hpp has the exact signatures.
//
// Everything here compiles and runs, and gives zeros, which is wrong from level 1 on. Each function fails only the
// levels that ask it. Any standard header is welcome.
#include "contract.hpp"

#include <cmath>

namespace grpo {

// Level advantages; and the groups of level degenerate.
void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    for (int n = 0; n < rewards.extent(0); ++n) advantage(n) = 0;
}

// Levels ratio to gradient.
Var loss(tensor<const Var, 2> lp_new, optional<tensor<const double, 2>> lp_old,
         optional<tensor<const double, 2>> lp_ref, tensor<const double, 1> advantage, tensor<const bool, 2> mask,
         loss_rule rule, tensor<double, 2> terms) {
    // lp_new(n, t) is a Var: + - * / exp log min max clamp sum work on it as on a double, and are recorded.
    // x.value() is its number, x.detach() the same number as a constant. (*lp_old)(n, t) reads where lp_old is there.
    Var total;
    for (int n = 0; n < lp_new.extent(0); ++n)
        for (int t = 0; t < lp_new.extent(1); ++t) terms(n, t) = 0;
    return total;
}

} // namespace grpo
