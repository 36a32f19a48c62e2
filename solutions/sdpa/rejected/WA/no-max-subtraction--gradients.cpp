// Wrong: the recomputed weights have no maximum subtracted.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float weight(float logit, float) const override { return std::exp(logit); }
    void divide(Index i) override {
        bool any = false;
        for (Index j = 0; j < Lk(); ++j) any = any || may_attend(i, j);
        for (Index j = 0; j < Lk() && any; ++j) P[at(i, j)] /= totals[i];
    }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
