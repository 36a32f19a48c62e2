// std::log of a Var: the compiler says what to write instead.
#include "contract.hpp"

#include <cmath>

namespace grpo_hunt {

Var loss(tensor<const Var, 3> logits, tensor<const std::int64_t, 2>, tensor<const bool, 2>,
         optional<tensor<const double, 2>>, optional<tensor<const double, 2>>, tensor<const double, 1>, loss_rule,
         tensor<double, 2>, tensor<double, 1>, tensor<double, 2>) {
    return std::log(logits(0, 0, 0));
}

} // namespace grpo_hunt
