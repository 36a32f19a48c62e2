// Reads the state before the own token is in it.
// Level: linear
#include "linear.hpp"

namespace long_attention {

struct Mistaken : Linear {
    using Linear::Linear;
    void head(Index h) override {
        clear();
        for (Index i = 0; i < L; ++i) {
            read(h, i);
            add(h, i);
        }
    }
};

} // namespace long_attention

LINEAR_BY(Mistaken)
