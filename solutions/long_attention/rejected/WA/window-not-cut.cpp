// A window longer than the sequence is not cut.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    double width() const override { return double(s.window); }
};

} // namespace long_attention

COST_BY(Mistaken)
