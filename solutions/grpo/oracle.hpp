// The exercise's oracle: the truth of a problem, or its answer with any set of named mistakes.
#ifndef ASSAY_GRPO_ORACLE_HPP
#define ASSAY_GRPO_ORACLE_HPP

#include "core/exercise.hpp"
#include "oracle_core.hpp"

#include <optional>
#include <vector>

namespace assay::grpo_judge {

/// A route is a level; level degenerate has two, "groups" and "loss". Of "advantages" and "groups": advantage. Of the
/// others: terms and loss; of "gradient": lp_new_grad as well.
std::optional<Truths> oracle(const Problem& problem, const Slips& on);

/// Every mistake that the oracle can make.
std::vector<Mistake> mistakes();

/// The contract's preconditions, and what the statement promises: no token within 1e-3 of an edge, no group whose
/// rewards are nearly equal.
bool valid(const Problem& problem);

GroupRule group_rule_of(const Problem& problem);
LossRule loss_rule_of(const Problem& problem);
Tokens tokens_of(const Problem& problem);

} // namespace assay::grpo_judge

#endif
