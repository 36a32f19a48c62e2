// The sums are made once, before the heads.
// Level: linear
#include "linear.hpp"

namespace long_attention {

struct Mistaken : Linear {
    using Linear::Linear;
    void clear() override {}
};

} // namespace long_attention

LINEAR_BY(Mistaken)
