// Only the sum of f(k) v; no sum of f(k).
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    Head linear(double m) const override {
        Head c = Costs::linear(m);
        c.scores = c.values = L * 2 * m * D;
        c.live = m * D + 2 * m;
        return c;
    }
};

} // namespace long_attention

COST_BY(Mistaken)
