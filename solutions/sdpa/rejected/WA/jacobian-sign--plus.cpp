// Wrong: dS = P (dP + delta).
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float ds(Index i, Index j, float delta) const override { return P[at(i, j)] * (dP[at(i, j)] + delta); }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
