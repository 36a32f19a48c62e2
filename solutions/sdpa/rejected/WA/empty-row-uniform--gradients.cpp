// Wrong: masked logits are -FLT_MAX, and the mask is not asked again.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float hidden() const override { return -std::numeric_limits<float>::max(); }
    bool has_dp(Index, Index) const override { return true; }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
