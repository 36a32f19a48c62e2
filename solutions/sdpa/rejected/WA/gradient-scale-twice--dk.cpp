// Wrong: dk is scaled twice, as where q was scaled before the logits and dk once more.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float scale_of_dk() const override { return factor() * factor(); }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
