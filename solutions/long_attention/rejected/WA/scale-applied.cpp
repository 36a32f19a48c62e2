// Scales queries as softmax attention does.
// Level: linear
#include "linear.hpp"

namespace long_attention {

struct Mistaken : Linear {
    using Linear::Linear;
    float of_query(float x) const override { return feature(x / std::sqrt(float(D))); }
};

} // namespace long_attention

LINEAR_BY(Mistaken)
