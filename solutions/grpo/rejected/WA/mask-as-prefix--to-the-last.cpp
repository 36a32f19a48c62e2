// Everything up to the last token.
// Level: masks
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    bool counts(Index n, Index t) const override {
        for (Index i = t; i < T(); ++i)
            if (mask(n, i)) return true;
        return false;
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
