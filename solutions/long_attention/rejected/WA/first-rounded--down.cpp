// The crossing rounded down.
// Level: crossover
#include "crossings.hpp"

namespace long_attention {

struct Mistaken : Crossings {
    double first_above(double length) const override { return std::floor(length); }
};

} // namespace long_attention

CROSSOVER_BY(Mistaken)
