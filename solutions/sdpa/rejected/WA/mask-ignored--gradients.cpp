// Wrong: the way back forgets the mask.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    bool unmasked(Index, Index) const override { return true; }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
