// No scale.
// Level: low-rank
#include "projected.hpp"

namespace long_attention {

struct Mistaken : Projected {
    using Projected::Projected;
    float scale() const override { return 1; }
};

} // namespace long_attention

LOW_RANK_BY(Mistaken)
