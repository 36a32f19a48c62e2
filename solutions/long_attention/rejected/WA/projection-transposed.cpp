// Reads (R, L) as (L, R).
// Level: low-rank
#include "projected.hpp"

namespace long_attention {

struct Mistaken : Projected {
    using Projected::Projected;
    float of_key(Index r, Index j) const override { return e.data()[j * R + r]; }
    float of_value(Index r, Index j) const override { return f.data()[j * R + r]; }
};

} // namespace long_attention

LOW_RANK_BY(Mistaken)
