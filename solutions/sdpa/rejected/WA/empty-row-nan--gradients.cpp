// Wrong: a row that may attend nothing is divided by its sum of 0.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    void divide(Index i) override {
        for (Index j = 0; j < Lk(); ++j) P[at(i, j)] /= totals[i];
    }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
