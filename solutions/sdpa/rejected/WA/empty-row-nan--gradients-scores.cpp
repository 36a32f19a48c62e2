// Wrong: a row that may attend nothing has a delta of 0/0.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float delta(Index i) const override {
        float sum = 0;
        for (Index j = 0; j < Lk(); ++j) sum += P[at(i, j)] * totals[i] * dP[at(i, j)];
        return sum / totals[i];
    }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
