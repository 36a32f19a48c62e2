// Wrong: the way back knows no scale at all.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float factor() const override { return 1; }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
