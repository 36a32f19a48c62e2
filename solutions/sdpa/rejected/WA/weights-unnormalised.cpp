// Wrong: the weights exp(s - max) are not divided by their sum.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    void divide(Index) override {}
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
