// The projection matrices are taken to be there already.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    Head low_rank() const override {
        Head c = Costs::low_rank();
        c.elements = 4 * L * D + 4 * double(s.rank) * D;
        return c;
    }
};

} // namespace long_attention

COST_BY(Mistaken)
