// Features of the keys alone.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    Head linear(double m) const override {
        Head c = Costs::linear(m);
        c.exps = L * m;
        return c;
    }
    Head random_features() const override {
        Head c = Costs::random_features();
        c.prepare /= 2;
        return c;
    }
};

} // namespace long_attention

COST_BY(Mistaken)
