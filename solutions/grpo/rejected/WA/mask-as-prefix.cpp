// As many positions as there are tokens.
// Level: masks
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    bool counts(Index n, Index t) const override {
        Index tokens = 0;
        for (Index i = 0; i < T(); ++i) tokens += mask(n, i) ? 1 : 0;
        return t < tokens;
    }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
