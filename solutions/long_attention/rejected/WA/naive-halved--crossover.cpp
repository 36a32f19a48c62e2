// Crosses causal attention that computes half of the scores.
// Level: crossover
#include "crossings.hpp"

namespace long_attention {

struct Mistaken : Crossings {
    double naive_token() const override { return 2 * D; }
};

} // namespace long_attention

CROSSOVER_BY(Mistaken)
