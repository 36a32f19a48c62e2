// The first whole length is taken to be the crossing rounded up.
// Level: crossover
#include "crossings.hpp"

namespace long_attention {

struct Mistaken : Crossings {
    double first_above(double length) const override { return std::ceil(length); }
};

} // namespace long_attention

CROSSOVER_BY(Mistaken)
