// Wrong: dk and dv are added to without ever being set to 0.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    void begin() override { fill_with_zeros(dq); }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
