// Wrong: dk lacks the scale.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float scale_of_dk() const override { return 1; }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
