// Counts pairs on and below the diagonal, not blocks.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    double block_pairs(double) const override { return L * (L + 1) / 2; }
};

} // namespace long_attention

COST_BY(Mistaken)
