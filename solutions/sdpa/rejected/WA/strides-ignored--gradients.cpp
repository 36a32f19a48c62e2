// Wrong: q, k, v and dout are read through data() as if they were contiguous.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    /// Element (b, head, i, d) of a tensor taken to be contiguous.
    float packed(tensor<const float, 4> x, Index head, Index i, Index d) const {
        return x.data()[((b * x.extent(1) + head) * x.extent(2) + i) * x.extent(3) + d];
    }
    float q_at(Index i, Index d) const override { return packed(q, h, i, d); }
    float k_at(Index j, Index d) const override { return packed(k, kv(), j, d); }
    float v_at(Index j, Index d) const override { return packed(v, kv(), j, d); }
    float dout_at(Index i, Index d) const override { return packed(dout, h, i, d); }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
