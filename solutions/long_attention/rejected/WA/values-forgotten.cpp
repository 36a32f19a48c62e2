// Counts q kᵀ and takes it for all of attention.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    Head head(method how) const override {
        Head c = Costs::head(how);
        c.values = 0;
        return c;
    }
};

} // namespace long_attention

COST_BY(Mistaken)
