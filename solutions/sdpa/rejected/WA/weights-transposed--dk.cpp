// Wrong: dk reads dS by the strides of its transpose.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float ds_for_dk(Index i, Index j) const override { return dS[j * Lq() + i]; }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
