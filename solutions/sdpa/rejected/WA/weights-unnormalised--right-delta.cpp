// Wrong: delta is right, but P in dS and dv is not divided by its sum.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    void divide(Index) override {}
    float delta(Index i) const override { return Backward::delta(i) / totals[i]; }
    bool adds(Index i, Index j) override { return P[at(i, j)] != 0; }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
