// Wrong: the way back aligns causal top-left.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    Index last(Index i) const override { return i; }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
