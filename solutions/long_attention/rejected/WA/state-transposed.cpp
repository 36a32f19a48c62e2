// Takes column d of the state for row d; where D = Dv nothing breaks.
// Level: linear
#include "linear.hpp"

namespace long_attention {

struct Mistaken : Linear {
    using Linear::Linear;
    float state(Index d, Index c) const override { return D == Dv ? Linear::state(c, d) : Linear::state(d, c); }
};

} // namespace long_attention

LINEAR_BY(Mistaken)
