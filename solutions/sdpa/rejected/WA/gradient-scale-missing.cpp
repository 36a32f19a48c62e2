// Wrong: the scale stands in the logits, and not in dq and dk.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float scale_of_dq() const override { return 1; }
    float scale_of_dk() const override { return 1; }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
