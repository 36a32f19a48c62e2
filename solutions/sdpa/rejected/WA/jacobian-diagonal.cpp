// Wrong: dS = P (1 - P) dP, as if every weight hung on its own logit alone.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float ds(Index i, Index j, float) const override { return P[at(i, j)] * (1 - P[at(i, j)]) * dP[at(i, j)]; }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
