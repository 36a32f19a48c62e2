// Wrong: dk and dv read dS and P by the strides of their transposes.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float ds_for_dk(Index i, Index j) const override { return dS[j * Lq() + i]; }
    float p_for_dv(Index i, Index j) const override { return P[j * Lq() + i]; }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
