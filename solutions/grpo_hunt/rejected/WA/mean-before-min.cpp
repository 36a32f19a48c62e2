// The two surrogates are averaged, then compared.
#include "stages.hpp"

namespace grpo_hunt {

struct Mistaken : Stages {
    Var sequence(const Matrix& r, const Matrix& clipped, const Matrix& penalty, Index n, double a) const override {
        Var plain, held, kl;
        for (Index t = 1; t < T; ++t) {
            plain += selected(n, t, r[n][t] * a);
            held += selected(n, t, clipped[n][t] * a);
            kl += penalty[n][t];
        }
        return min(plain, held) - kl;
    }
};

} // namespace grpo_hunt

LOSS_BY(Mistaken)
