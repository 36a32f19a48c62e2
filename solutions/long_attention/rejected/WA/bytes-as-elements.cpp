// Counts numbers, not bytes.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    double element_bytes() const override { return 1; }
};

} // namespace long_attention

COST_BY(Mistaken)
