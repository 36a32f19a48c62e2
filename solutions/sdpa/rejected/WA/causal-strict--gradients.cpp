// Wrong: the way back leaves out the diagonal.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    bool may_attend(Index i, Index j) const override { return !(causal && j >= last(i)) && unmasked(i, j); }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
