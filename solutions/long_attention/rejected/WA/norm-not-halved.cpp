// exp(omega·y - |y|²).
// Level: random-features
#include "random.hpp"

namespace long_attention {

struct Mistaken : Random {
    using Random::Random;
    float exponent(float dot, float norm) const override { return dot - norm; }
};

} // namespace long_attention

RANDOM_FEATURES_BY(Mistaken)
