// Wrong: dv reads P by the strides of its transpose.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float p_for_dv(Index i, Index j) const override { return P[j * Lq() + i]; }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
