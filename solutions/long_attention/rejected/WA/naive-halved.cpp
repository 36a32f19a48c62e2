// Causal, so half of the scores.
// Level: costs
#include "costs.hpp"

namespace long_attention {

struct Mistaken : Costs {
    double naive_pairs() const override { return L * (L + 1) / 2; }
};

} // namespace long_attention

COST_BY(Mistaken)
