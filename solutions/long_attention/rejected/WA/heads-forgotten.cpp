// One head; the table is per head.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    double heads() const override { return 1; }
};

} // namespace long_attention

COST_BY(Mistaken)
