// Scores out, scores in: forgets that the weights make the same way.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    Head naive() const override {
        Head c = Costs::naive();
        c.elements = 4 * L * D + 2 * L * L;
        return c;
    }
};

} // namespace long_attention

COST_BY(Mistaken)
