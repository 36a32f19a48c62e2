// Counts from the projected keys on.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    Head low_rank() const override {
        Head c = Costs::low_rank();
        c.prepare = 0;
        return c;
    }
};

} // namespace long_attention

COST_BY(Mistaken)
