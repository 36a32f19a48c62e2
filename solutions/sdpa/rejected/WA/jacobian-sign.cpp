// Wrong: dS = P (delta - dP).
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float ds(Index i, Index j, float delta) const override { return P[at(i, j)] * (delta - dP[at(i, j)]); }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
