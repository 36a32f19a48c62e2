// Wrong: dS carries the scale already when dq and dk are scaled.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float ds(Index i, Index j, float delta) const override { return factor() * Backward::ds(i, j, delta); }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
