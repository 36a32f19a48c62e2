// w keys a token, from the first token on.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    double window_pairs(double w) const override { return w * L; }
};

} // namespace long_attention

COST_BY(Mistaken)
