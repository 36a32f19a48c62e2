// No look at the ranges.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    bool in_range(method) const override { return true; }
};

} // namespace long_attention

COST_BY(Mistaken)
