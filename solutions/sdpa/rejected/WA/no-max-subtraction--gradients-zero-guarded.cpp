// Wrong: the recomputed weights have no maximum subtracted, and a sum of 0 is guarded.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float weight(float logit, float) const override { return std::exp(logit); }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
