// Wrong: the way back forgets the causal condition.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    bool may_attend(Index i, Index j) const override { return unmasked(i, j); }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
