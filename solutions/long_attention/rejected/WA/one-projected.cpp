// Projects the keys and forgets the values.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    Head low_rank() const override {
        Head c = Costs::low_rank();
        c.prepare = 2 * L * double(s.rank) * D;
        return c;
    }
};

} // namespace long_attention

COST_BY(Mistaken)
