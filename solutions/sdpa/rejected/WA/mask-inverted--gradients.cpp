// Wrong: the way back reads the mask the wrong way round.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    bool unmasked(Index i, Index j) const override { return !mask || !Backward::unmasked(i, j); }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
