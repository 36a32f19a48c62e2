// Masks projected keys after the query.
// Level: low-rank
#include "projected.hpp"

namespace long_attention {

struct Mistaken : Projected {
    using Projected::Projected;
    Index end(Index i) const override { return std::min(R, i + 1); }
};

} // namespace long_attention

LOW_RANK_BY(Mistaken)
