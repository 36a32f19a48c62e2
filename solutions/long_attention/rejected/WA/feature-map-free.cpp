// The feature map is taken for an element-wise function.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    Head random_features() const override {
        Head c = Costs::random_features();
        c.prepare = 0;
        return c;
    }
};

} // namespace long_attention

COST_BY(Mistaken)
