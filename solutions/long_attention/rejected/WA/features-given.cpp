// Uses `features` for elu + 1 as well.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    double elu_features() const override { return double(s.features); }
};

} // namespace long_attention

COST_BY(Mistaken)
