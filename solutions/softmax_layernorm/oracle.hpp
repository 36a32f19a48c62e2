// The float64 truth of `softmax_layernorm`, the error bound of every element, and each named mistake as a switch.
#ifndef ASSAY_SOFTMAX_LAYERNORM_ORACLE_HPP
#define ASSAY_SOFTMAX_LAYERNORM_ORACLE_HPP

#include "core/exercise.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace assay::softmax_layernorm_judge {

/// The exercise's Oracle: "y", or "dx", or "dx", "dgamma" and "dbeta", as the route returns them.
std::optional<Truths> oracle(const Problem& problem, std::string_view mistake, int form);

/// Every mistake the oracle can make, in the order in which they are named.
std::vector<Mistake> mistakes();

/// Plain float32 loops: maximum subtracted, two passes for the variance.
Outputs plain(const Problem& problem);

/// The contract's preconditions: equal extents, an axis of the three, finite inputs of at most 1e9, eps in [1e-12, 1].
bool valid(const Problem& problem);

} // namespace assay::softmax_layernorm_judge

#endif
