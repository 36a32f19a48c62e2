// Wrong: the way back pairs query head h with key/value head h % Hkv.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    Index kv() const override { return h % Hkv(); }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
