// exp(omega·y).
// Level: random-features
#include "random.hpp"

namespace long_attention {

struct Mistaken : Random {
    using Random::Random;
    float exponent(float dot, float) const override { return dot; }
};

} // namespace long_attention

RANDOM_FEATURES_BY(Mistaken)
