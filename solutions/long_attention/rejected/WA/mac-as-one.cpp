// Every multiply-add is one operation, as some papers count it.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    double multiply_add() const override { return 1; }
};

} // namespace long_attention

COST_BY(Mistaken)
