// Skips nothing: the mask is applied inside the blocks.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    double blocks(double n) const override { return n * n; }
};

} // namespace long_attention

COST_BY(Mistaken)
