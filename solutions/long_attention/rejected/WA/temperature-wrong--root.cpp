// y = x / sqrt(D): the scale twice.
// Level: random-features
#include "random.hpp"

namespace long_attention {

struct Mistaken : Random {
    using Random::Random;
    float temperature() const override { return std::sqrt(float(D)); }
};

} // namespace long_attention

RANDOM_FEATURES_BY(Mistaken)
