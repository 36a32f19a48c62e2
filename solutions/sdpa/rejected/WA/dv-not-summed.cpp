// Wrong: each query head begins dv of its group anew: the last one wins.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    void begin_head() override {
        for (Index j = 0; j < Lk(); ++j)
            for (Index d = 0; d < Dv(); ++d) dv(b, kv(), j, d) = 0;
    }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
