// Wrong: the way back takes 1/sqrt(D) whatever scale was given.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    float factor() const override { return 1.0f / std::sqrt(static_cast<float>(D())); }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
