// Each key by its own largest exponent, as each query.
// Level: random-features
#include "random.hpp"

namespace long_attention {

struct Mistaken : Random {
    using Random::Random;
    float key_shift(const std::vector<float>& l) const override { return *std::max_element(l.begin(), l.end()); }
};

} // namespace long_attention

RANDOM_FEATURES_BY(Mistaken)
