// The numerator runs along, the normaliser is that of the whole sequence.
// Level: linear
#include "linear.hpp"

namespace long_attention {

struct Mistaken : Linear {
    using Linear::Linear;
    void head(Index h) override {
        clear();
        for (Index i = 0; i < L; ++i) add(h, i);
        const std::vector<float> of_all = z;
        clear();
        for (Index i = 0; i < L; ++i) {
            add(h, i);
            z = of_all;
            read(h, i);
        }
    }
};

} // namespace long_attention

LINEAR_BY(Mistaken)
