// Each query reads its window from memory.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    Head window() const override {
        Head c = Costs::window();
        c.elements = 2 * L * D + 2 * D * c.pairs;
        return c;
    }
};

} // namespace long_attention

COST_BY(Mistaken)
