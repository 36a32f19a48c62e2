// The answers of each route, item by item.
#ifndef ASSAY_ROOFLINE_ORACLE_ITEMS_HPP
#define ASSAY_ROOFLINE_ORACLE_ITEMS_HPP

#include "core/items.hpp"
#include "oracle_inputs.hpp"

namespace assay::roofline_judge {

inline constexpr const char* resources = "0 compute, 1 memory, 2 network, -1 none";
inline constexpr const char* options = "0 peak, 1 memory, 2 link, 3 GPUs, -1 none";
inline constexpr const char* reductions = "0 ring, 1 in the switch, -1 none";

/// `known` is false for invalid input: every item unset.
Truths count_items(const Inputs& in, const Slips& on, bool known);
Truths cross_items(const Inputs& in, const Slips& on, bool known);
Truths refine_items(const Inputs& in, const Slips& on, bool known);
Truths group_items(const Inputs& in, const Slips& on, bool known);
Truths batch_items(const Inputs& in, const Slips& on, bool known);
Truths doubling_items(const Inputs& in, const Slips& on, bool known);
Truths reduce_items(const Inputs& in, const Slips& on, bool known);

/// Where the line `slope` a token catches up with one that starts `ahead` and grows by `other`: infinity where it does
/// not.
double catch_up(double ahead, double slope, double other, const Slips& on);
/// The least whole number of tokens that is at least `tokens`.
double whole_tokens(double tokens, const Slips& on);

} // namespace assay::roofline_judge

#endif
