// Wrong: delta is the mean of dP over the allowed keys.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float delta(Index i) const override {
        float sum = 0, seen = 0;
        for (Index j = 0; j < Lk(); ++j) {
            sum += dP[at(i, j)];
            if (may_attend(i, j)) ++seen;
        }
        return sum / seen;
    }
    bool adds(Index i, Index j) override { return P[at(i, j)] != 0; }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
