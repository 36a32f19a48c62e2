// Wrong: delta is summed over the wrong axis, a column of P dP.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float ds(Index i, Index j, float) const override {
        float sum = 0;
        for (Index n = 0; n < Lq(); ++n) sum += P[at(n, j)] * dP[at(n, j)];
        return P[at(i, j)] * (dP[at(i, j)] - sum);
    }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
