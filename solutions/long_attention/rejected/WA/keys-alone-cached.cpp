// One cache.
// Level: crossover
#include "crossings.hpp"

namespace long_attention {

struct Mistaken : Crossings {
    double cache_equal() const override { return (m * D + m) / D; }
};

} // namespace long_attention

CROSSOVER_BY(Mistaken)
