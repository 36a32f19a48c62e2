// Multiplies where it should divide.
// Level: linear
#include "linear.hpp"

namespace long_attention {

struct Mistaken : Linear {
    using Linear::Linear;
    float normalised(float sum, float by) const override { return sum * by; }
};

} // namespace long_attention

LINEAR_BY(Mistaken)
