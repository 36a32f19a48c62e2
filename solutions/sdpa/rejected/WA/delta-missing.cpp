// Wrong: the softmax is passed through by its weights alone, dS = P dP.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float delta(Index) const override { return 0; }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
