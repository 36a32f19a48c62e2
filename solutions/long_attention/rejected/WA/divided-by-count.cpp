// The mean over tokens.
// Level: linear
#include "linear.hpp"

namespace long_attention {

struct Mistaken : Linear {
    using Linear::Linear;
    float normaliser(const std::vector<float>&, Index i) const override { return float(i + 1); }
};

} // namespace long_attention

LINEAR_BY(Mistaken)
