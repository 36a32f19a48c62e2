// exp.
// Level: linear
#include "linear.hpp"

namespace long_attention {

struct Mistaken : Linear {
    using Linear::Linear;
    float feature(float x) const override { return std::exp(x); }
};

} // namespace long_attention

LINEAR_BY(Mistaken)
