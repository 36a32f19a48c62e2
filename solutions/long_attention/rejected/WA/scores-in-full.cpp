// Keeps all scores until the last is there.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    Head blockwise() const override {
        Head c = Costs::blockwise();
        c.live = L * L;
        return c;
    }
    Head window() const override {
        Head c = Costs::window();
        c.live = width() * L;
        return c;
    }
    Head low_rank() const override {
        Head c = Costs::low_rank();
        c.live = 2 * double(s.rank) * D + L * double(s.rank);
        return c;
    }
};

} // namespace long_attention

COST_BY(Mistaken)
