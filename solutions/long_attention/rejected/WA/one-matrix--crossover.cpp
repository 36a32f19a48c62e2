// The naive method keeps one matrix.
// Level: crossover
#include "crossings.hpp"

namespace long_attention {

struct Mistaken : Crossings {
    double memory_equal() const override { return std::sqrt(D * D + 3 * D); }
};

} // namespace long_attention

CROSSOVER_BY(Mistaken)
