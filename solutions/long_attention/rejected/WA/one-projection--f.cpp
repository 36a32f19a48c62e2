// One matrix for both, the other one.
// Level: low-rank
#include "projected.hpp"

namespace long_attention {

struct Mistaken : Projected {
    using Projected::Projected;
    float of_key(Index r, Index j) const override { return f(r, j); }
};

} // namespace long_attention

LOW_RANK_BY(Mistaken)
