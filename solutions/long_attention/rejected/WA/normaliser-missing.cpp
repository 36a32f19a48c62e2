// The numerator alone.
// Level: linear
#include "linear.hpp"

namespace long_attention {

struct Mistaken : Linear {
    using Linear::Linear;
    float normalised(float sum, float) const override { return sum; }
};

} // namespace long_attention

LINEAR_BY(Mistaken)
