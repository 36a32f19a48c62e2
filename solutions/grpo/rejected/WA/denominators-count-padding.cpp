// The mean over all positions of masked terms.
// Level: masks
#include "steps.hpp"

namespace grpo {

struct Wrong : Steps {
    using Steps::Steps;
    double length(Index) const override { return double(T()); }
};

} // namespace grpo

GRPO_LOSS_BY(Wrong)
