// The answers with any number of named mistakes in them. The loss is written in Var, as people write it, so that each
// mistake has the gradient that it has in life; with none it is the right one, by another way than oracle_core.hpp.
#ifndef ASSAY_GRPO_ORACLE_MISTAKEN_HPP
#define ASSAY_GRPO_ORACLE_MISTAKEN_HPP

#include "core/slips.hpp"
#include "oracle_core.hpp"

namespace assay::grpo_judge {

Bounded mistaken_advantages(const std::vector<double>& rewards, const GroupRule& rule, const Slips& on);
LossAnswer mistaken_loss(const Tokens& tokens, const LossRule& rule, const Slips& on);

} // namespace assay::grpo_judge

#endif
