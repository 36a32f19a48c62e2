// The matrices are shared, so the product is taken to be shared too.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    Head low_rank() const override {
        Head c = Costs::low_rank();
        c.prepare /= H;
        return c;
    }
};

} // namespace long_attention

COST_BY(Mistaken)
