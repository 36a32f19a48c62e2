// Wrong: masked logits are -FLT_MAX; dS is masked, P is not.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float hidden() const override { return -std::numeric_limits<float>::max(); }
    bool has_dp(Index, Index) const override { return true; }
    float ds(Index i, Index j, float delta) const override { return may_attend(i, j) ? Backward::ds(i, j, delta) : 0; }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
