// y = x.
// Level: random-features
#include "random.hpp"

namespace long_attention {

struct Mistaken : Random {
    using Random::Random;
    float temperature() const override { return 1; }
};

} // namespace long_attention

RANDOM_FEATURES_BY(Mistaken)
