// e for the values, f for the keys.
// Level: low-rank
#include "projected.hpp"

namespace long_attention {

struct Mistaken : Projected {
    using Projected::Projected;
    float of_key(Index r, Index j) const override { return f(r, j); }
    float of_value(Index r, Index j) const override { return e(r, j); }
};

} // namespace long_attention

LOW_RANK_BY(Mistaken)
