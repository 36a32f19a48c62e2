// The cumulative sum runs along axis 0, which is the heads.
// Level: linear
#include "linear.hpp"

namespace long_attention {

struct Mistaken : Linear {
    using Linear::Linear;
    void run() override {
        for (Index i = 0; i < L; ++i) {
            clear();
            for (Index h = 0; h < H; ++h) {
                add(h, i);
                read(h, i);
            }
        }
    }
};

} // namespace long_attention

LINEAR_BY(Mistaken)
