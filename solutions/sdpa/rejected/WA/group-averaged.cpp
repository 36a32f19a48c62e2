// Wrong: dk and dv are means over the heads of a group.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float share() const { return 1.0f / static_cast<float>(Hq() / Hkv()); }
    float ds_for_dk(Index i, Index j) const override { return share() * dS[at(i, j)]; }
    float p_for_dv(Index i, Index j) const override { return share() * P[at(i, j)]; }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
