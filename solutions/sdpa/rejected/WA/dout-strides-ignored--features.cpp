// Wrong: the features of a row of dout are read as if they lay side by side.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float dout_at(Index i, Index d) const override {
        return dout.data()[b * dout.stride(0) + h * dout.stride(1) + i * dout.stride(2) + d];
    }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
