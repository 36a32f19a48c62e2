// Maps the queries alone.
// Level: linear
#include "linear.hpp"

namespace long_attention {

struct Mistaken : Linear {
    using Linear::Linear;
    float of_key(float x) const override { return x; }
};

} // namespace long_attention

LINEAR_BY(Mistaken)
