// Wrong: weights are exp(s - log(sum of exp(s))), without a maximum in the sum.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float weight(float logit, float) const override { return logit; }
    void divide(Index i) override {
        float total = 0;
        for (Index j = 0; j < Lk(); ++j) total += std::exp(P[at(i, j)]);
        for (Index j = 0; j < Lk(); ++j)
            P[at(i, j)] = P[at(i, j)] == -infinity ? 0.0f : std::exp(P[at(i, j)] - std::log(total));
    }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
