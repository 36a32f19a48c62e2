// Wrong: delta is the plain sum of dP.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float delta(Index i) const override {
        float sum = 0;
        for (Index j = 0; j < Lk(); ++j) sum += dP[at(i, j)];
        return sum;
    }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
