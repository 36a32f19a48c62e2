// Sums over the whole head first.
// Level: random-features
#include "random.hpp"

namespace long_attention {

struct Mistaken : Random {
    using Random::Random;
    void head(Index h) override {
        clear(h);
        for (Index i = 0; i < L; ++i) add(h, i);
        for (Index i = 0; i < L; ++i) read(h, i);
    }
};

} // namespace long_attention

RANDOM_FEATURES_BY(Mistaken)
