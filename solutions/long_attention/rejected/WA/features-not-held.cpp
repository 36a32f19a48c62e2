// The state alone.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    Head linear(double m) const override {
        Head c = Costs::linear(m);
        c.live = m * D + m;
        return c;
    }
};

} // namespace long_attention

COST_BY(Mistaken)
