// Projects the wrong tensor.
// Level: low-rank
#include "projected.hpp"

namespace long_attention {

struct Mistaken : Projected {
    using Projected::Projected;
    tensor<const float, 3> keys_from() const override { return q; }
};

} // namespace long_attention

LOW_RANK_BY(Mistaken)
