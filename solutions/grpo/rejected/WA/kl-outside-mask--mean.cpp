// The masked policy loss, and the mean KL of all positions.
// Level: kl
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    Var minus(const Var&) const override {
        struct Policy : Steps {
            explicit Policy(const Steps& all) : Steps(all) {}
            bool has_kl() const override { return false; }
        };
        Var total;
        if (has_kl())
            for (Index n = 0; n < N(); ++n)
                for (Index t = 0; t < T(); ++t) total += kl(n, t);
        return total / double(N() * T()) - Policy(*this).aggregate();
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
