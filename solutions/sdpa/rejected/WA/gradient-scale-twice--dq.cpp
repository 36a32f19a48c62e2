// Wrong: dq is scaled twice, as where k was scaled before.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float scale_of_dq() const override { return factor() * factor(); }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
