// Counts omega·y and not |y|².
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    Head random_features() const override {
        Head c = Costs::random_features();
        c.prepare = 2 * L * 2 * D * double(s.features);
        return c;
    }
};

} // namespace long_attention

COST_BY(Mistaken)
