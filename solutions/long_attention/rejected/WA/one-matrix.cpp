// The softmax is taken to work in place.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    Head naive() const override {
        Head c = Costs::naive();
        c.live = L * L;
        return c;
    }
};

} // namespace long_attention

COST_BY(Mistaken)
