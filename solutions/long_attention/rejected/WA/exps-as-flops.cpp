// An exponential is an operation like any other.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    double flops(const cost& c) const override { return Costs::flops(c) + c.exps; }
};

} // namespace long_attention

COST_BY(Mistaken)
