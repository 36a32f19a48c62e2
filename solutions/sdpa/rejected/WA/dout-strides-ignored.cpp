// Wrong: dout is read as if it were contiguous.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float dout_at(Index i, Index d) const override { return dout.data()[((b * Hq() + h) * Lq() + i) * Dv() + d]; }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
